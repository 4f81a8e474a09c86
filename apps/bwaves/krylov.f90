! Bi-CGstab (van der Vorst, SIAM J. Sci. Stat. Comput. 13, 1992) for the system of blocks. Its vectors live while it
! solves. Scalar products are summed plane by plane, so that they are the same with every number of threads.
module krylov
  use blocks, only: multiply
  use flow, only: n, parts
  use plain_program, only: real8
  implicit none
  private
  public :: solve, norm_of_rest

  integer, parameter, public :: most_iterations = 200

contains

  ! Until the rest is `goal` times the right side. Returns the iterations; -1: more would be needed, -2: memory is short.
  integer function solve(b, x, goal)
    real(real8), intent(in) :: b(parts, n, n, n), goal
    real(real8), intent(out) :: x(parts, n, n, n)
    real(real8), allocatable :: rest(:, :, :, :), shadow(:, :, :, :), way(:, :, :, :), image(:, :, :, :), back(:, :, :, :)
    real(real8) :: rho, last_rho, alpha, beta, omega, wanted
    integer :: status
    allocate (rest(parts, n, n, n), shadow(parts, n, n, n), way(parts, n, n, n), image(parts, n, n, n), &
              back(parts, n, n, n), stat=status)
    solve = -2
    if (status /= 0) return
    call begin_at_zero(b, x, rest, shadow, way, image)
    wanted = goal * sqrt(product_of(b, b))
    last_rho = 1
    alpha = 1
    omega = 1
    do solve = 0, most_iterations
      if (sqrt(product_of(rest, rest)) <= wanted) return
      rho = product_of(shadow, rest)
      beta = rho / last_rho * (alpha / omega)
      call turn(rest, beta, omega, image, way)
      call multiply(way, image)
      alpha = rho / product_of(shadow, image)
      call add(-alpha, image, rest)
      call multiply(rest, back)
      omega = product_of(back, rest) / product_of(back, back)
      call go(alpha, way, omega, rest, x)
      call add(-omega, back, rest)
      last_rho = rho
    end do
    solve = -1
  end function solve

  subroutine begin_at_zero(b, x, rest, shadow, way, image)
    real(real8), intent(in) :: b(parts, n, n, n)
    real(real8), intent(out) :: x(parts, n, n, n), rest(parts, n, n, n), shadow(parts, n, n, n), way(parts, n, n, n), &
                                image(parts, n, n, n)
    integer :: i, j, k, part
    !$omp parallel do private(i, j, part)
    do k = 1, n
      do j = 1, n
        do i = 1, n
          do part = 1, parts
            x(part, i, j, k) = 0
            rest(part, i, j, k) = b(part, i, j, k)
            shadow(part, i, j, k) = b(part, i, j, k)
            way(part, i, j, k) = 0
            image(part, i, j, k) = 0
          end do
        end do
      end do
    end do
  end subroutine begin_at_zero

  ! way = rest + beta (way - omega image).
  subroutine turn(rest, beta, omega, image, way)
    real(real8), intent(in) :: rest(parts, n, n, n), beta, omega, image(parts, n, n, n)
    real(real8), intent(inout) :: way(parts, n, n, n)
    integer :: i, j, k, part
    !$omp parallel do private(i, j, part)
    do k = 1, n
      do j = 1, n
        do i = 1, n
          do part = 1, parts
            way(part, i, j, k) = rest(part, i, j, k) + beta * (way(part, i, j, k) - omega * image(part, i, j, k))
          end do
        end do
      end do
    end do
  end subroutine turn

  ! y = y + factor x.
  subroutine add(factor, x, y)
    real(real8), intent(in) :: factor, x(parts, n, n, n)
    real(real8), intent(inout) :: y(parts, n, n, n)
    integer :: i, j, k, part
    !$omp parallel do private(i, j, part)
    do k = 1, n
      do j = 1, n
        do i = 1, n
          do part = 1, parts
            y(part, i, j, k) = y(part, i, j, k) + factor * x(part, i, j, k)
          end do
        end do
      end do
    end do
  end subroutine add

  ! x = x + alpha way + omega rest.
  subroutine go(alpha, way, omega, rest, x)
    real(real8), intent(in) :: alpha, way(parts, n, n, n), omega, rest(parts, n, n, n)
    real(real8), intent(inout) :: x(parts, n, n, n)
    integer :: i, j, k, part
    !$omp parallel do private(i, j, part)
    do k = 1, n
      do j = 1, n
        do i = 1, n
          do part = 1, parts
            x(part, i, j, k) = x(part, i, j, k) + alpha * way(part, i, j, k) + omega * rest(part, i, j, k)
          end do
        end do
      end do
    end do
  end subroutine go

  function product_of(x, y) result(total)
    real(real8), intent(in) :: x(parts, n, n, n), y(parts, n, n, n)
    real(real8) :: total, planes(n), sum_
    integer :: i, j, k, part
    !$omp parallel do private(i, j, part, sum_)
    do k = 1, n
      sum_ = 0
      do j = 1, n
        do i = 1, n
          do part = 1, parts
            sum_ = sum_ + x(part, i, j, k) * y(part, i, j, k)
          end do
        end do
      end do
      planes(k) = sum_
    end do
    total = 0
    do k = 1, n
      total = total + planes(k)
    end do
  end function product_of

  ! |b - A x| / |b|, afresh.
  function norm_of_rest(b, x) result(norm)
    real(real8), intent(in) :: b(parts, n, n, n), x(parts, n, n, n)
    real(real8), allocatable :: rest(:, :, :, :)
    real(real8) :: norm, square
    allocate (rest(parts, n, n, n))
    call multiply(x, rest)
    call add(-1.0_real8, b, rest)
    square = product_of(b, b)
    norm = sqrt(product_of(rest, rest) / merge(square, 1.0_real8, square > 0))
  end function norm_of_rest
end module krylov
