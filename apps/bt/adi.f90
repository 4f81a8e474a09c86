! One step of the alternating-direction implicit method: (1 + step L_1) (1 + step L_2) (1 + step L_3) du = rhs, a system
! of 3 x 3 blocks along each line, solved by elimination from the lower end and substitution from the upper one. Where
! lines run along y or z, all lines of a plane go together, so that memory is read along x.
module adi
  use fields
  use operators, only: coupling
  use plain_program, only: real8
  implicit none
  private
  public :: solve_lines, add_step

contains

  ! The blocks of a row are -step (below), 1 + 2 step diffusion / h^2 (here) and step (above).
  pure subroutine eliminate(d, step, convection, rhs_below, upper_below, rhs_here, upper_here)
    integer, intent(in) :: d
    real(real8), intent(in) :: step, convection, rhs_below(parts), upper_below(parts, parts)
    real(real8), intent(inout) :: rhs_here(parts)
    real(real8), intent(out) :: upper_here(parts, parts)
    real(real8) :: lower(parts, parts), above(parts, parts), pivot(parts, parts), inverse(parts, parts), left(parts)
    real(real8) :: spread_
    integer :: i, j
    spread_ = step * diffusion / h**2
    do j = 1, parts
      do i = 1, parts
        above(i, j) = step * coupling(i, j, d) / (2 * h)
      end do
      above(j, j) = above(j, j) + step * convection / (2 * h)
      do i = 1, parts
        lower(i, j) = -above(i, j)
      end do
      above(j, j) = above(j, j) - spread_
      lower(j, j) = lower(j, j) - spread_
    end do
    do j = 1, parts
      do i = 1, parts
        pivot(i, j) = -(lower(i, 1) * upper_below(1, j) + lower(i, 2) * upper_below(2, j) &
                        + lower(i, 3) * upper_below(3, j))
      end do
      pivot(j, j) = pivot(j, j) + 1 + 2 * spread_
      left(j) = rhs_here(j) - (lower(j, 1) * rhs_below(1) + lower(j, 2) * rhs_below(2) + lower(j, 3) * rhs_below(3))
    end do
    call invert(pivot, inverse)
    do j = 1, parts
      do i = 1, parts
        upper_here(i, j) = inverse(i, 1) * above(1, j) + inverse(i, 2) * above(2, j) + inverse(i, 3) * above(3, j)
      end do
      rhs_here(j) = inverse(j, 1) * left(1) + inverse(j, 2) * left(2) + inverse(j, 3) * left(3)
    end do
  end subroutine eliminate

  ! By cofactors.
  pure subroutine invert(a, inverse)
    real(real8), intent(in) :: a(parts, parts)
    real(real8), intent(out) :: inverse(parts, parts)
    real(real8) :: determinant
    integer :: i, j, i1, i2, j1, j2
    do j = 1, parts
      j1 = mod(j, parts) + 1
      j2 = mod(j + 1, parts) + 1
      do i = 1, parts
        i1 = mod(i, parts) + 1
        i2 = mod(i + 1, parts) + 1
        inverse(j, i) = a(i1, j1) * a(i2, j2) - a(i1, j2) * a(i2, j1)
      end do
    end do
    determinant = a(1, 1) * inverse(1, 1) + a(1, 2) * inverse(2, 1) + a(1, 3) * inverse(3, 1)
    do j = 1, parts
      do i = 1, parts
        inverse(i, j) = inverse(i, j) / determinant
      end do
    end do
  end subroutine invert

  pure subroutine substitute(upper_here, rhs_above, rhs_here)
    real(real8), intent(in) :: upper_here(parts, parts), rhs_above(parts)
    real(real8), intent(inout) :: rhs_here(parts)
    integer :: i
    do i = 1, parts
      rhs_here(i) = rhs_here(i) - (upper_here(i, 1) * rhs_above(1) + upper_here(i, 2) * rhs_above(2) &
                                   + upper_here(i, 3) * rhs_above(3))
    end do
  end subroutine substitute

  ! rhs becomes the solution of (1 + step L_d) x = rhs, by lines in direction d.
  subroutine solve_lines(d, step)
    integer, intent(in) :: d
    real(real8), intent(in) :: step
    select case (d)
    case (1)
      call solve_along_x(step)
    case (2)
      call solve_along_y(step)
    case (3)
      call solve_along_z(step)
    end select
  end subroutine solve_lines

  subroutine solve_along_x(step)
    real(real8), intent(in) :: step
    integer :: i, j, k
    !$omp parallel do private(i, j)
    do k = 2, n - 1
      do j = 2, n - 1
        do i = 2, n - 1
          call eliminate(1, step, speed(1, i, j, k), rhs(1, i - 1, j, k), upper(1, 1, i - 1, j, k), &
                         rhs(1, i, j, k), upper(1, 1, i, j, k))
        end do
        do i = n - 2, 2, -1
          call substitute(upper(1, 1, i, j, k), rhs(1, i + 1, j, k), rhs(1, i, j, k))
        end do
      end do
    end do
  end subroutine solve_along_x

  subroutine solve_along_y(step)
    real(real8), intent(in) :: step
    integer :: i, j, k
    !$omp parallel do private(i, j)
    do k = 2, n - 1
      do j = 2, n - 1
        do i = 2, n - 1
          call eliminate(2, step, speed(2, i, j, k), rhs(1, i, j - 1, k), upper(1, 1, i, j - 1, k), &
                         rhs(1, i, j, k), upper(1, 1, i, j, k))
        end do
      end do
      do j = n - 2, 2, -1
        do i = 2, n - 1
          call substitute(upper(1, 1, i, j, k), rhs(1, i, j + 1, k), rhs(1, i, j, k))
        end do
      end do
    end do
  end subroutine solve_along_y

  subroutine solve_along_z(step)
    real(real8), intent(in) :: step
    integer :: i, j, k
    !$omp parallel do private(i, k)
    do j = 2, n - 1
      do k = 2, n - 1
        do i = 2, n - 1
          call eliminate(3, step, speed(3, i, j, k), rhs(1, i, j, k - 1), upper(1, 1, i, j, k - 1), &
                         rhs(1, i, j, k), upper(1, 1, i, j, k))
        end do
      end do
      do k = n - 2, 2, -1
        do i = 2, n - 1
          call substitute(upper(1, 1, i, j, k), rhs(1, i, j, k + 1), rhs(1, i, j, k))
        end do
      end do
    end do
  end subroutine solve_along_z

  ! u = u + rhs inside.
  subroutine add_step()
    integer :: i, j, k, part
    !$omp parallel do private(i, j, part)
    do k = 2, n - 1
      do j = 2, n - 1
        do i = 2, n - 1
          do part = 1, parts
            u(part, i, j, k) = u(part, i, j, k) + rhs(part, i, j, k)
          end do
        end do
      end do
    end do
  end subroutine add_step
end module adi
