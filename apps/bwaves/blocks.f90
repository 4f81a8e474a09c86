! The system of a step of backward Euler, linear in the change: (1 / step + the slopes of what flows out) change = what
! flows in. A block of 5 x 5 for each cell and for each of its six neighbours.
module blocks
  use flow
  use plain_program, only: real8
  implicit none
  private
  public :: allocate_blocks, deallocate_blocks, find_flows, find_blocks, multiply

  real(real8), allocatable, public :: middle(:, :, :, :, :), west(:, :, :, :, :), east(:, :, :, :, :)
  real(real8), allocatable, public :: south(:, :, :, :, :), north(:, :, :, :, :), low(:, :, :, :, :), high(:, :, :, :, :)

contains

  ! Not 0 if memory is short.
  integer function allocate_blocks()
    integer :: k
    allocate (middle(parts, parts, n, n, n), west(parts, parts, n, n, n), east(parts, parts, n, n, n), &
              south(parts, parts, n, n, n), north(parts, parts, n, n, n), low(parts, parts, n, n, n), &
              high(parts, parts, n, n, n), stat=allocate_blocks)
    if (allocate_blocks /= 0) return
    !$omp parallel do
    do k = 1, n
      middle(:, :, :, :, k) = 0
      west(:, :, :, :, k) = 0
      east(:, :, :, :, k) = 0
      south(:, :, :, :, k) = 0
      north(:, :, :, :, k) = 0
      low(:, :, :, :, k) = 0
      high(:, :, :, :, k) = 0
    end do
  end function allocate_blocks

  subroutine deallocate_blocks()
    deallocate (middle, west, east, south, north, low, high)
  end subroutine deallocate_blocks

  ! right = what flows into each cell, for its size.
  subroutine find_flows(wave)
    real(real8), intent(in) :: wave
    integer :: i, j, k, i0, i1, j0, j1, k0, k1
    !$omp parallel do private(i, j, i0, i1, j0, j1, k0, k1)
    do k = 1, n
      k0 = before(k)
      k1 = after(k)
      do j = 1, n
        j0 = before(j)
        j1 = after(j)
        do i = 1, n
          i0 = before(i)
          i1 = after(i)
          right(1, i, j, k) = 0
          right(2, i, j, k) = 0
          right(3, i, j, k) = 0
          right(4, i, j, k) = 0
          right(5, i, j, k) = 0
          call add_flow(1, wave, q(1, i0, j, k), states(1, i0, j, k), q(1, i, j, k), states(1, i, j, k), &
                        q(1, i1, j, k), states(1, i1, j, k), right(1, i, j, k))
          call add_flow(2, wave, q(1, i, j0, k), states(1, i, j0, k), q(1, i, j, k), states(1, i, j, k), &
                        q(1, i, j1, k), states(1, i, j1, k), right(1, i, j, k))
          call add_flow(3, wave, q(1, i, j, k0), states(1, i, j, k0), q(1, i, j, k), states(1, i, j, k), &
                        q(1, i, j, k1), states(1, i, j, k1), right(1, i, j, k))
        end do
      end do
    end do
  end subroutine find_flows

  pure subroutine add_flow(d, wave, q0, s0, qh, sh, q1, s1, sum_)
    integer, intent(in) :: d
    real(real8), intent(in) :: wave, q0(parts), s0(parts), qh(parts), sh(parts), q1(parts), s1(parts)
    real(real8), intent(inout) :: sum_(parts)
    real(real8) :: comes(parts), goes(parts)
    integer :: i
    call face_flux(d, wave, q0, s0, qh, sh, comes)
    call face_flux(d, wave, qh, sh, q1, s1, goes)
    do i = 1, parts
      sum_(i) = sum_(i) + (comes(i) - goes(i)) / h
    end do
  end subroutine add_flow

  subroutine find_blocks(wave, step)
    real(real8), intent(in) :: wave, step
    integer :: i, j, k, i0, i1, j0, j1, k0, k1, part, other
    !$omp parallel do private(i, j, i0, i1, j0, j1, k0, k1, part, other)
    do k = 1, n
      k0 = before(k)
      k1 = after(k)
      do j = 1, n
        j0 = before(j)
        j1 = after(j)
        do i = 1, n
          i0 = before(i)
          i1 = after(i)
          do other = 1, parts
            do part = 1, parts
              middle(part, other, i, j, k) = 0
            end do
            middle(other, other, i, j, k) = 1 / step
          end do
          call add_blocks(1, wave, q(1, i0, j, k), states(1, i0, j, k), q(1, i, j, k), states(1, i, j, k), &
                          q(1, i1, j, k), states(1, i1, j, k), west(1, 1, i, j, k), middle(1, 1, i, j, k), &
                          east(1, 1, i, j, k))
          call add_blocks(2, wave, q(1, i, j0, k), states(1, i, j0, k), q(1, i, j, k), states(1, i, j, k), &
                          q(1, i, j1, k), states(1, i, j1, k), south(1, 1, i, j, k), middle(1, 1, i, j, k), &
                          north(1, 1, i, j, k))
          call add_blocks(3, wave, q(1, i, j, k0), states(1, i, j, k0), q(1, i, j, k), states(1, i, j, k), &
                          q(1, i, j, k1), states(1, i, j, k1), low(1, 1, i, j, k), middle(1, 1, i, j, k), &
                          high(1, 1, i, j, k))
        end do
      end do
    end do
  end subroutine find_blocks

  ! The blocks of one direction: of the neighbour before, this cell and the neighbour after it.
  pure subroutine add_blocks(d, wave, q0, s0, qh, sh, q1, s1, block0, here, block1)
    integer, intent(in) :: d
    real(real8), intent(in) :: wave, q0(parts), s0(parts), qh(parts), sh(parts), q1(parts), s1(parts)
    real(real8), intent(inout) :: here(parts, parts)
    real(real8), intent(out) :: block0(parts, parts), block1(parts, parts)
    real(real8) :: goes(parts, parts), comes(parts, parts)
    integer :: i, j
    call face_slopes(d, -1, wave, q0, s0, sh, block0)
    call face_slopes(d, 1, wave, qh, sh, s0, comes)
    call face_slopes(d, -1, wave, qh, sh, s1, goes)
    call face_slopes(d, 1, wave, q1, s1, sh, block1)
    do j = 1, parts
      do i = 1, parts
        block0(i, j) = -block0(i, j) / h
        here(i, j) = here(i, j) + (goes(i, j) - comes(i, j)) / h
        block1(i, j) = block1(i, j) / h
      end do
    end do
  end subroutine add_blocks

  ! y = the system's matrix times x.
  subroutine multiply(x, y)
    real(real8), intent(in) :: x(parts, n, n, n)
    real(real8), intent(out) :: y(parts, n, n, n)
    integer :: i, j, k, i0, i1, j0, j1, k0, k1
    !$omp parallel do private(i, j, i0, i1, j0, j1, k0, k1)
    do k = 1, n
      k0 = before(k)
      k1 = after(k)
      do j = 1, n
        j0 = before(j)
        j1 = after(j)
        do i = 1, n
          i0 = before(i)
          i1 = after(i)
          y(1, i, j, k) = 0
          y(2, i, j, k) = 0
          y(3, i, j, k) = 0
          y(4, i, j, k) = 0
          y(5, i, j, k) = 0
          call add_product(middle(1, 1, i, j, k), x(1, i, j, k), y(1, i, j, k))
          call add_product(west(1, 1, i, j, k), x(1, i0, j, k), y(1, i, j, k))
          call add_product(east(1, 1, i, j, k), x(1, i1, j, k), y(1, i, j, k))
          call add_product(south(1, 1, i, j, k), x(1, i, j0, k), y(1, i, j, k))
          call add_product(north(1, 1, i, j, k), x(1, i, j1, k), y(1, i, j, k))
          call add_product(low(1, 1, i, j, k), x(1, i, j, k0), y(1, i, j, k))
          call add_product(high(1, 1, i, j, k), x(1, i, j, k1), y(1, i, j, k))
        end do
      end do
    end do
  end subroutine multiply

  pure subroutine add_product(block_, x, y)
    real(real8), intent(in) :: block_(parts, parts), x(parts)
    real(real8), intent(inout) :: y(parts)
    integer :: i, j
    do j = 1, parts
      do i = 1, parts
        y(i) = y(i) + block_(i, j) * x(j)
      end do
    end do
  end subroutine add_product
end module blocks
