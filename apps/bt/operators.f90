! The steady equation: the sum over directions d of L_d u = (speed_d + coupling_d) du/dx_d - diffusion d2u/dx_d^2 is the
! forcing. Differences are central.
module operators
  use fields
  use plain_program, only: real8
  implicit none
  private
  public :: make_forcing, residual, along_lines, largest_difference

  ! How parts drive each other, by direction.
  real(real8), parameter, public :: coupling(parts, parts, 3) = reshape([ &
    0.0_real8, 0.5_real8, 0.0_real8, 0.5_real8, 0.0_real8, 0.0_real8, 0.0_real8, 0.0_real8, 0.0_real8, &
    0.0_real8, 0.0_real8, 0.5_real8, 0.0_real8, 0.0_real8, 0.0_real8, 0.5_real8, 0.0_real8, 0.0_real8, &
    0.0_real8, 0.0_real8, 0.0_real8, 0.0_real8, 0.0_real8, 0.5_real8, 0.0_real8, 0.5_real8, 0.0_real8], &
    [parts, parts, 3])

contains

  ! Adds L_d of three neighbours in direction d.
  pure subroutine add_operator(d, convection, below, here, above, sum_)
    integer, intent(in) :: d
    real(real8), intent(in) :: convection, below(parts), here(parts), above(parts)
    real(real8), intent(inout) :: sum_(parts)
    real(real8) :: slope(parts)
    integer :: part, other
    do part = 1, parts
      slope(part) = (above(part) - below(part)) / (2 * h)
    end do
    do part = 1, parts
      sum_(part) = sum_(part) + convection * slope(part) &
                   - diffusion * (above(part) - 2 * here(part) + below(part)) / h**2
      do other = 1, parts
        sum_(part) = sum_(part) + coupling(part, other, d) * slope(other)
      end do
    end do
  end subroutine add_operator

  ! L u inside.
  pure subroutine apply(i, j, k, image)
    integer, intent(in) :: i, j, k
    real(real8), intent(out) :: image(parts)
    image = 0
    call add_operator(1, speed(1, i, j, k), u(1, i - 1, j, k), u(1, i, j, k), u(1, i + 1, j, k), image)
    call add_operator(2, speed(2, i, j, k), u(1, i, j - 1, k), u(1, i, j, k), u(1, i, j + 1, k), image)
    call add_operator(3, speed(3, i, j, k), u(1, i, j, k - 1), u(1, i, j, k), u(1, i, j, k + 1), image)
  end subroutine apply

  ! The forcing under which u, as it is now, is the solution.
  subroutine make_forcing()
    integer :: i, j, k
    !$omp parallel do private(i, j)
    do k = 2, n - 1
      do j = 2, n - 1
        do i = 2, n - 1
          call apply(i, j, k, forcing(1, i, j, k))
        end do
      end do
    end do
  end subroutine make_forcing

  ! rhs = step (forcing - L u). Returns the largest of forcing - L u.
  function residual(step) result(largest)
    real(real8), intent(in) :: step
    real(real8) :: largest, image(parts), left
    integer :: i, j, k, part
    largest = 0
    !$omp parallel do private(i, j, part, image, left) reduction(max: largest)
    do k = 2, n - 1
      do j = 2, n - 1
        do i = 2, n - 1
          call apply(i, j, k, image)
          do part = 1, parts
            left = forcing(part, i, j, k) - image(part)
            largest = max(largest, abs(left))
            rhs(part, i, j, k) = step * left
          end do
        end do
      end do
    end do
  end function residual

  ! rhs = u + step L_d u, for one direction: what the lines of that direction are to be solved for.
  subroutine along_lines(d, step)
    integer, intent(in) :: d
    real(real8), intent(in) :: step
    real(real8) :: image(parts)
    integer :: i, j, k, part, x, y, z
    x = merge(1, 0, d == 1)
    y = merge(1, 0, d == 2)
    z = merge(1, 0, d == 3)
    !$omp parallel do private(i, j, part, image)
    do k = 2, n - 1
      do j = 2, n - 1
        do i = 2, n - 1
          image = 0
          call add_operator(d, speed(d, i, j, k), u(1, i - x, j - y, k - z), u(1, i, j, k), &
                            u(1, i + x, j + y, k + z), image)
          do part = 1, parts
            rhs(part, i, j, k) = u(part, i, j, k) + step * image(part)
          end do
        end do
      end do
    end do
  end subroutine along_lines

  ! Between u and a function, inside.
  function largest_difference(values) result(largest)
    procedure(of_place) :: values
    real(real8) :: largest
    integer :: i, j, k, part
    largest = 0
    !$omp parallel do private(i, j, part) reduction(max: largest)
    do k = 2, n - 1
      do j = 2, n - 1
        do i = 2, n - 1
          do part = 1, parts
            largest = max(largest, abs(u(part, i, j, k) - values(part, (i - 1) * h, (j - 1) * h, (k - 1) * h)))
          end do
        end do
      end do
    end do
  end function largest_difference
end module operators
