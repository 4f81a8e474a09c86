! The arrays of this program, and the functions that they are made of. Points are numbered from 1 to n in each
! direction, those at the ends are the boundary.
module fields
  use plain_program, only: real8
  implicit none
  private
  public :: allocate_fields, deallocate_fields, fill, linear_part, manufactured, bump

  integer, parameter, public :: parts = 3
  real(real8), parameter, public :: diffusion = 0.1_real8

  integer, public, protected :: n = 0
  real(real8), public, protected :: h = 0  ! distance of neighbours

  real(real8), allocatable, public :: u(:, :, :, :)         ! solution: part, x, y, z
  real(real8), allocatable, public :: rhs(:, :, :, :)       ! what is left to do, then the step
  real(real8), allocatable, public :: forcing(:, :, :, :)   ! makes the manufactured solution one
  real(real8), allocatable, public :: speed(:, :, :, :)     ! of the convection: direction, x, y, z
  real(real8), allocatable, public :: upper(:, :, :, :, :)  ! blocks above the diagonal, while lines are solved

  interface
    pure function of_place(part, x, y, z) result(value)
      import :: real8
      integer, intent(in) :: part
      real(real8), intent(in) :: x, y, z
      real(real8) :: value
    end function of_place
  end interface
  public :: of_place

contains

  ! Not 0 if memory is short.
  integer function allocate_fields(size_)
    integer, intent(in) :: size_
    integer :: k
    n = size_
    h = 1.0_real8 / (n - 1)
    allocate (u(parts, n, n, n), rhs(parts, n, n, n), forcing(parts, n, n, n), speed(3, n, n, n), &
              upper(parts, parts, n, n, n), stat=allocate_fields)
    if (allocate_fields /= 0) return
    !$omp parallel do
    do k = 1, n
      call clear_plane(k)
    end do
  end function allocate_fields

  ! The boundary of rhs and upper stays 0: lines are solved from there without a special case.
  subroutine clear_plane(k)
    integer, intent(in) :: k
    integer :: i, j
    real(real8) :: x, y, z
    z = (k - 1) * h
    do j = 1, n
      y = (j - 1) * h
      do i = 1, n
        x = (i - 1) * h
        u(:, i, j, k) = 0
        rhs(:, i, j, k) = 0
        forcing(:, i, j, k) = 0
        upper(:, :, i, j, k) = 0
        speed(1, i, j, k) = 0.5_real8 + y * z
        speed(2, i, j, k) = 0.5_real8 + z * x
        speed(3, i, j, k) = 0.5_real8 + x * y
      end do
    end do
  end subroutine clear_plane

  subroutine deallocate_fields()
    deallocate (u, rhs, forcing, speed, upper)
  end subroutine deallocate_fields

  ! u becomes this function everywhere.
  subroutine fill(values)
    procedure(of_place) :: values
    integer :: i, j, k, part
    !$omp parallel do private(i, j, part)
    do k = 1, n
      do j = 1, n
        do i = 1, n
          do part = 1, parts
            u(part, i, j, k) = values(part, (i - 1) * h, (j - 1) * h, (k - 1) * h)
          end do
        end do
      end do
    end do
  end subroutine fill

  ! What the iteration begins with.
  pure function linear_part(part, x, y, z) result(value)
    integer, intent(in) :: part
    real(real8), intent(in) :: x, y, z
    real(real8) :: value
    value = part + 0.5_real8 * x - 0.25_real8 * part * y + z
  end function linear_part

  ! 0 on the boundary.
  pure function bump(part, x, y, z) result(value)
    integer, intent(in) :: part
    real(real8), intent(in) :: x, y, z
    real(real8) :: value
    value = 64 * x * (1 - x) * y * (1 - y) * z * (1 - z) * (1 + (x - y * z) / part)
  end function bump

  ! What the iteration has to find.
  pure function manufactured(part, x, y, z) result(value)
    integer, intent(in) :: part
    real(real8), intent(in) :: x, y, z
    real(real8) :: value
    value = linear_part(part, x, y, z) + bump(part, x, y, z)
  end function manufactured
end module fields
