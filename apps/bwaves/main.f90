! Two blasts in a viscous gas in a periodic cube: backward Euler, one Newton step in each time step, whose system is
! solved by Bi-CGstab. An ordinary OpenMP program.
program bwaves
  use blocks
  use checks
  use flow
  use krylov
  use plain_program
  implicit none
  real(real8), parameter :: courant = 1  ! cells that the fastest wave passes in a step
  real(real8), parameter :: goal = 1e-8_real8
  integer :: size_of_grid = 24, steps = 5, status

  if (begin_program('bwaves', 'two blasts in a viscous gas, by implicit steps and Bi-CGstab', 'cells in each direction', &
                    512, size_of_grid, steps, status)) status = run()
  call exit(status)

contains

  integer function run()
    real(real8) :: sums(parts), drift, tilt, rest, order
    logical :: verified
    run = wrong
    if (allocate_flow(size_of_grid) /= 0) then
      call short_of_memory()
      return
    end if
    if (allocate_blocks() /= 0) then
      call short_of_memory()
      return
    end if
    print '(a, i0, a, i0, a)', 'Blast waves: ', size_of_grid, ' cells in each direction, ', steps, ' steps'
    call begin_blasts()
    if (order_of_slopes(order) /= 0) then
      call short_of_memory()
      return
    end if
    print '(a, f5.2)', 'what the blocks leave out falls with the power ', order
    call sums_of(q, sums)
    if (.not. advance(rest)) return
    drift = drift_from(sums)
    tilt = largest_tilt()
    print '(a, es8.1, a, es8.1, a, es8.1)', 'rest ', rest, ', lost ', drift, ', not a mirror image by ', tilt
    verified = abs(order - 2) < 0.1_real8 .and. rest < 10 * goal .and. drift < 1e-9_real8 .and. tilt < 1e-7_real8
    print '(a, a)', 'verified: ', trim(merge('yes', 'NO ', verified))
    print '(a, a)', 'checksum: 0x', hexadecimal(checksum_of(size(q), q))
    if (.not. verified) call complain('mass, momentum or energy is lost, or the system was not solved.')
    if (verified) run = good
    call deallocate_blocks()
    call deallocate_flow()
  end function run

  subroutine short_of_memory()
    call complain('not enough memory. Use a smaller --size.')
  end subroutine short_of_memory

  ! False: it said why. rest: the largest of |b - A x| / |b|.
  logical function advance(rest)
    real(real8), intent(out) :: rest
    real(real8) :: wave, mach, step
    integer :: i, iterations
    rest = 0
    advance = .false.
    print '(a6, a12, a12, a12)', 'step', 'time step', 'Mach', 'iterations'
    do i = 1, steps
      if (find_states() /= 0) then
        call short_of_memory()
        return
      end if
      call fastest_wave(wave, mach)
      step = courant * h / wave
      call find_flows(wave)
      call find_blocks(wave, step)
      call forget_states()
      iterations = solve(right, change, goal)
      if (iterations == -2) call short_of_memory()
      if (iterations == -1) call complain('a system was not solved: more iterations would be needed.')
      if (iterations < 0) return
      rest = max(rest, norm_of_rest(right, change))
      call add_change()
      print '(i6, es12.3, f12.4, i12)', i, step, mach, iterations
    end do
    advance = .true.
  end function advance
end program bwaves
