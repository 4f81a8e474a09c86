! The gas: conserved quantities in the cells of a periodic cube, and what flows through a face between two of them.
!
! Compressible, viscous, heat-conducting: density, three momenta, energy. Lengths are of the cube, speeds of sound in the
! gas at rest. T is the square of the speed of sound, so that pressure = density T / ratio.
module flow
  use plain_program, only: real8
  implicit none
  private
  public :: allocate_flow, deallocate_flow, begin_blasts, find_states, forget_states, fastest_wave, face_flux, face_slopes
  public :: after, before

  integer, parameter, public :: parts = 5
  real(real8), parameter, public :: ratio = 1.4_real8       ! of specific heats
  real(real8), parameter :: viscosity = 0.005_real8
  real(real8), parameter :: conduction = viscosity / (0.72_real8 * (ratio - 1))  ! by Prandtl's number of air

  integer, public, protected :: n = 0
  real(real8), public, protected :: h = 0  ! edge of a cell

  real(real8), allocatable, public :: q(:, :, :, :)       ! conserved: part, x, y, z
  real(real8), allocatable, public :: right(:, :, :, :)   ! side of the system
  real(real8), allocatable, public :: change(:, :, :, :)  ! of q in a step
  real(real8), allocatable, public :: states(:, :, :, :)  ! three velocities, T, pressure: while a system is made

contains

  ! Not 0 if memory is short.
  integer function allocate_flow(size_)
    integer, intent(in) :: size_
    n = size_
    h = 1.0_real8 / n
    allocate (q(parts, n, n, n), right(parts, n, n, n), change(parts, n, n, n), stat=allocate_flow)
  end function allocate_flow

  subroutine deallocate_flow()
    deallocate (q, right, change)
  end subroutine deallocate_flow

  ! The neighbours of a cell in a row; behind the last one comes the first.
  pure integer function after(i)
    integer, intent(in) :: i
    after = merge(1, i + 1, i == n)
  end function after

  pure integer function before(i)
    integer, intent(in) :: i
    before = merge(n, i - 1, i == 1)
  end function before

  ! Gas at rest, and two balls of high pressure, mirror images of each other.
  subroutine begin_blasts()
    integer :: i, j, k
    real(real8) :: x, y, z, pressed
    !$omp parallel do private(i, j, x, y, z, pressed)
    do k = 1, n
      z = (k - 0.5_real8) * h - 0.5_real8
      do j = 1, n
        y = (j - 0.5_real8) * h - 0.5_real8
        do i = 1, n
          x = (i - 0.5_real8) * h - 0.5_real8
          pressed = 1 + 50 * (ball(x - 0.2_real8, y, z) + ball(x + 0.2_real8, y, z))
          q(1, i, j, k) = pressed
          q(2:4, i, j, k) = 0
          q(5, i, j, k) = pressed / (ratio * (ratio - 1))
          right(:, i, j, k) = 0
          change(:, i, j, k) = 0
        end do
      end do
    end do
  end subroutine begin_blasts

  pure real(real8) function ball(x, y, z)
    real(real8), intent(in) :: x, y, z
    ball = exp(-(x**2 + y**2 + z**2) / 0.12_real8**2)
  end function ball

  ! Not 0 if memory is short.
  integer function find_states()
    integer :: i, j, k
    real(real8) :: u, v, w
    allocate (states(parts, n, n, n), stat=find_states)
    if (find_states /= 0) return
    !$omp parallel do private(i, j, u, v, w)
    do k = 1, n
      do j = 1, n
        do i = 1, n
          u = q(2, i, j, k) / q(1, i, j, k)
          v = q(3, i, j, k) / q(1, i, j, k)
          w = q(4, i, j, k) / q(1, i, j, k)
          states(1, i, j, k) = u
          states(2, i, j, k) = v
          states(3, i, j, k) = w
          states(4, i, j, k) = ratio * (ratio - 1) * (q(5, i, j, k) / q(1, i, j, k) - 0.5_real8 * (u**2 + v**2 + w**2))
          states(5, i, j, k) = q(1, i, j, k) * states(4, i, j, k) / ratio
        end do
      end do
    end do
  end function find_states

  subroutine forget_states()
    deallocate (states)
  end subroutine forget_states

  ! The speed of the fastest wave, and the largest Mach number.
  subroutine fastest_wave(wave, mach)
    real(real8), intent(out) :: wave, mach
    integer :: i, j, k
    real(real8) :: speed
    wave = 0
    mach = 0
    !$omp parallel do private(i, j, speed) reduction(max: wave, mach)
    do k = 1, n
      do j = 1, n
        do i = 1, n
          speed = sqrt(states(1, i, j, k)**2 + states(2, i, j, k)**2 + states(3, i, j, k)**2)
          wave = max(wave, speed + sqrt(states(4, i, j, k)))
          mach = max(mach, speed / sqrt(states(4, i, j, k)))
        end do
      end do
    end do
  end subroutine fastest_wave

  ! What flows in direction d from cell a to cell b: the mean of both, less half the difference times the speed of the
  ! fastest wave (Rusanov 1961), less what viscosity and conduction carry by the slope from a to b alone.
  pure subroutine face_flux(d, wave, qa, sa, qb, sb, flux)
    integer, intent(in) :: d
    real(real8), intent(in) :: wave, qa(parts), sa(parts), qb(parts), sb(parts)
    real(real8), intent(out) :: flux(parts)
    real(real8) :: stress
    integer :: i
    do i = 1, parts
      flux(i) = 0.5_real8 * (sa(d) * qa(i) + sb(d) * qb(i)) - 0.5_real8 * wave * (qb(i) - qa(i))
    end do
    flux(1 + d) = flux(1 + d) + 0.5_real8 * (sa(5) + sb(5))
    flux(5) = flux(5) + 0.5_real8 * (sa(d) * sa(5) + sb(d) * sb(5)) - conduction * (sb(4) - sa(4)) / h
    do i = 1, 3
      stress = stretch(i, d) * (sb(i) - sa(i))
      flux(1 + i) = flux(1 + i) - stress
      flux(5) = flux(5) - 0.5_real8 * (sa(i) + sb(i)) * stress
    end do
  end subroutine face_flux

  ! Viscosity for velocity i across a face in direction d, for a slope between neighbours.
  pure real(real8) function stretch(i, d)
    integer, intent(in) :: i, d
    stretch = viscosity / h
    if (i == d) stretch = 4 * stretch / 3
  end function stretch

  ! How face_flux changes with one of its cells: `here`, which is b if side is 1 and a if side is -1.
  pure subroutine face_slopes(d, side, wave, qh, sh, so, slopes)
    integer, intent(in) :: d, side
    real(real8), intent(in) :: wave, qh(parts), sh(parts), so(parts)  ! here, and the state at the other side
    real(real8), intent(out) :: slopes(parts, parts)
    real(real8) :: energy, square, slope_of_t(parts), stress, pull, power
    integer :: i, j
    square = sh(1)**2 + sh(2)**2 + sh(3)**2
    energy = (qh(5) + sh(5)) / qh(1)
    do j = 1, parts
      do i = 1, parts
        slopes(i, j) = 0
      end do
    end do
    slopes(1, 1 + d) = 0.5_real8
    do i = 1, 3
      slopes(1 + i, 1) = -0.5_real8 * sh(i) * sh(d)
      slopes(1 + i, 1 + i) = 0.5_real8 * sh(d)
    end do
    do i = 1, 3
      slopes(1 + i, 1 + d) = slopes(1 + i, 1 + d) + 0.5_real8 * sh(i)
      slopes(1 + d, 1 + i) = slopes(1 + d, 1 + i) - 0.5_real8 * (ratio - 1) * sh(i)
      slopes(5, 1 + i) = -0.5_real8 * (ratio - 1) * sh(d) * sh(i)
    end do
    slopes(1 + d, 1) = slopes(1 + d, 1) + 0.25_real8 * (ratio - 1) * square
    slopes(1 + d, 5) = 0.5_real8 * (ratio - 1)
    slopes(5, 1) = 0.5_real8 * sh(d) * (0.5_real8 * (ratio - 1) * square - energy)
    slopes(5, 1 + d) = slopes(5, 1 + d) + 0.5_real8 * energy
    slopes(5, 5) = 0.5_real8 * ratio * sh(d)
    do i = 1, parts
      slopes(i, i) = slopes(i, i) - 0.5_real8 * side * wave
    end do
    slope_of_t(1) = ratio * (ratio - 1) * (square - qh(5) / qh(1)) / qh(1)
    do i = 1, 3
      slope_of_t(1 + i) = -ratio * (ratio - 1) * sh(i) / qh(1)
    end do
    slope_of_t(5) = ratio * (ratio - 1) / qh(1)
    do j = 1, parts
      slopes(5, j) = slopes(5, j) - side * conduction / h * slope_of_t(j)
    end do
    do i = 1, 3
      stress = side * stretch(i, d) * (sh(i) - so(i))
      pull = side * stretch(i, d) / qh(1)  ! by the momentum; by the density it is -sh(i) times as much
      power = 0.5_real8 * (stress / qh(1) + (sh(i) + so(i)) * pull)
      slopes(1 + i, 1) = slopes(1 + i, 1) + sh(i) * pull
      slopes(1 + i, 1 + i) = slopes(1 + i, 1 + i) - pull
      slopes(5, 1) = slopes(5, 1) + sh(i) * power
      slopes(5, 1 + i) = slopes(5, 1 + i) - power
    end do
  end subroutine face_slopes
end module flow
