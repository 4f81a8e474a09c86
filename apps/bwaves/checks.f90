! What the result is verified by.
module checks
  use blocks
  use flow
  use plain_program, only: real8
  implicit none
  private
  public :: add_change, order_of_slopes, sums_of, drift_from, largest_tilt

contains

  ! q = q + change.
  subroutine add_change()
    integer :: i, j, k, part
    !$omp parallel do private(i, j, part)
    do k = 1, n
      do j = 1, n
        do i = 1, n
          do part = 1, parts
            q(part, i, j, k) = q(part, i, j, k) + change(part, i, j, k)
          end do
        end do
      end do
    end do
  end subroutine add_change

  ! The blocks are the slopes of what flows: where q differs by a small change, what they say of the flows is wrong by its
  ! square, so that half the change leaves a quarter. order: the power that is found, 2 if they are right. Not 0 if memory
  ! is short. q is as before; right, change and the blocks are not.
  integer function order_of_slopes(order)
    real(real8), intent(out) :: order
    real(real8), parameter :: much = 1e-3_real8
    real(real8), allocatable :: flows(:, :, :, :), slopes(:, :, :, :)
    real(real8) :: wave, mach, left(2)
    integer :: i, j, k, time
    order = 0
    allocate (flows(parts, n, n, n), slopes(parts, n, n, n), stat=order_of_slopes)
    if (order_of_slopes /= 0) return
    order_of_slopes = find_states()
    if (order_of_slopes /= 0) return
    call fastest_wave(wave, mach)
    call find_flows(wave)
    call find_blocks(wave, huge(1.0_real8))
    call forget_states()
    !$omp parallel do private(i, j)
    do k = 1, n
      do j = 1, n
        do i = 1, n
          flows(:, i, j, k) = right(:, i, j, k)
          change(:, i, j, k) = much * sin(6.2831853_real8 * h * [i + j, j + k, k + i, i - k, j])
        end do
      end do
    end do
    call multiply(change, slopes)
    do time = 1, 2
      call add_change()
      order_of_slopes = find_states()
      if (order_of_slopes /= 0) return
      call find_flows(wave)
      call forget_states()
      left(time) = 0
      do k = 1, n
        do j = 1, n
          do i = 1, n
            left(time) = max(left(time), maxval(abs(right(:, i, j, k) - flows(:, i, j, k) + time * slopes(:, i, j, k))))
          end do
        end do
      end do
    end do
    order = log(left(2) / left(1)) / log(2.0_real8)
    change = -2 * change
    call add_change()
  end function order_of_slopes

  ! Over all cells, in an order that no number of threads changes.
  subroutine sums_of(field, sums)
    real(real8), intent(in) :: field(parts, n, n, n)
    real(real8), intent(out) :: sums(parts)
    integer :: i, j, k
    sums = 0
    do k = 1, n
      do j = 1, n
        do i = 1, n
          sums = sums + field(:, i, j, k)
        end do
      end do
    end do
  end subroutine sums_of

  ! What has become of mass, momenta and energy, for mass and energy: nothing leaves a periodic cube.
  real(real8) function drift_from(sums)
    real(real8), intent(in) :: sums(parts)
    real(real8) :: now(parts)
    call sums_of(q, now)
    drift_from = maxval(abs(now - sums) / [sums(1), sums(5), sums(5), sums(5), sums(5)])
  end function drift_from

  ! The largest difference from the mirror image in each direction.
  real(real8) function largest_tilt()
    integer :: i, j, k, x, y, z, d, part
    real(real8) :: turned
    largest_tilt = 0
    do k = 1, n
      do j = 1, n
        do i = 1, n
          do d = 1, 3
            x = merge(n + 1 - i, i, d == 1)
            y = merge(n + 1 - j, j, d == 2)
            z = merge(n + 1 - k, k, d == 3)
            do part = 1, parts
              turned = merge(-1, 1, part == 1 + d) * q(part, x, y, z)
              largest_tilt = max(largest_tilt, abs(q(part, i, j, k) - turned))
            end do
          end do
        end do
      end do
    end do
  end function largest_tilt
end module checks
