! Convection and diffusion of three coupled quantities in a box, iterated to the steady state by implicit steps in
! alternating directions. An ordinary OpenMP program.
program bt
  use adi
  use fields
  use operators
  use plain_program
  implicit none
  integer :: size_of_grid = 62, steps = 20, status

  if (begin_program('bt', 'block-tridiagonal solves along the lines of a grid, alternating directions', &
                    'points in each direction, boundary included', 1024, size_of_grid, steps, status)) status = run()
  call exit(status)

contains

  integer function run()
    real(real8) :: solver_error, first_error, last_error
    logical :: verified
    run = wrong
    if (allocate_fields(size_of_grid) /= 0) then
      call complain('not enough memory. Use a smaller --size.')
      return
    end if
    print '(a, i0, a, i0, a)', 'Block-tridiagonal ADI: ', size_of_grid, ' points in each direction, ', steps, ' steps'
    solver_error = error_of_solver()
    print '(a, a)', 'lines are solved to 1e-11: ', trim(merge('yes', 'NO ', solver_error < 1e-11_real8))
    call fill(manufactured)
    call make_forcing()
    call fill(linear_part)
    first_error = largest_difference(manufactured)
    call iterate()
    last_error = largest_difference(manufactured)
    print '(a, es11.4, a, es11.4)', 'error: ', first_error, ' at first, in the end ', last_error
    verified = solver_error < 1e-11_real8 .and. last_error < goal(first_error)
    print '(a, a)', 'verified: ', trim(merge('yes', 'NO ', verified))
    print '(a, a)', 'checksum: 0x', hexadecimal(checksum_of(size(u), u))
    if (.not. verified) call complain('the manufactured solution was not found.')
    if (verified) run = good
    call deallocate_fields()
  end function run

  ! A tenth less in each step, down to what rounding leaves.
  real(real8) function goal(first_error)
    real(real8), intent(in) :: first_error
    goal = max(0.9_real8**steps * first_error, 1e-9_real8)
  end function goal

  ! Of lines of which the solution is known, in each direction.
  real(real8) function error_of_solver()
    real(real8) :: step
    integer :: d, i, j, k, part
    step = step_of(1)
    error_of_solver = 0
    call fill(bump)
    do d = 1, 3
      call along_lines(d, step)
      call solve_lines(d, step)
      !$omp parallel do private(i, j, part) reduction(max: error_of_solver)
      do k = 2, n - 1
        do j = 2, n - 1
          do i = 2, n - 1
            do part = 1, parts
              error_of_solver = max(error_of_solver, abs(rhs(part, i, j, k) - u(part, i, j, k)))
            end do
          end do
        end do
      end do
    end do
  end function error_of_solver

  ! Long steps are for smooth errors, short ones for rough ones: they take turns, each a quarter of the one before, from
  ! what suits the smoothest error, pi^2 diffusion, to what suits the roughest, 4 diffusion / h^2.
  real(real8) function step_of(number)
    integer, intent(in) :: number
    real(real8), parameter :: pi = 3.14159265358979324_real8
    integer :: turns
    turns = nint(log(4 / (pi * h)**2) / log(4.0_real8))
    step_of = 0.5_real8 / (diffusion * pi**2) / 4.0_real8**mod(number - 1, turns)
  end function step_of

  subroutine iterate()
    real(real8) :: largest
    integer :: i, d
    print '(a6, a14)', 'step', 'residual'
    do i = 1, steps
      largest = residual(step_of(i))
      if (i == 1 .or. i == steps .or. mod(i, 10) == 0) print '(i6, es14.4)', i, largest
      do d = 1, 3
        call solve_lines(d, step_of(i))
      end do
      call add_step()
    end do
  end subroutine iterate
end program bt
