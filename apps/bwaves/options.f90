! The command line.
module options
  use omp_lib, only: omp_get_max_threads
  use plain_program, only: bad_option, complain, good, read_number
  implicit none
  private
  public :: read_options

  integer, public, protected :: size_of_grid = 24, steps = 5, threads = 1

contains

  ! False if there is nothing to run: then status is what to end with.
  logical function read_options(status)
    integer, intent(out) :: status
    character(len=256) :: option, value
    integer :: at
    logical :: followed
    read_options = .true.
    status = good
    threads = omp_get_max_threads()
    at = 1
    do while (at <= command_argument_count() .and. read_options)
      call get_command_argument(at, option)
      call get_command_argument(at + 1, value)
      followed = at < command_argument_count()
      select case (option)
      case ('--size')
        read_options = read_number(option, value, followed, 8, 512, size_of_grid)
      case ('--steps')
        read_options = read_number(option, value, followed, 1, 1000000, steps)
      case ('--threads')
        read_options = read_number(option, value, followed, 1, 1024, threads)
      case ('--help')
        print '(a)', 'bwaves: two blasts in a viscous gas, by implicit steps and Bi-CGstab', &
          '', &
          '  --size N     cells in each direction (24)', &
          '  --steps N    time steps (5)', &
          '  --threads N  threads (what OpenMP would use)', &
          '', &
          'Exit status: 0 verified, 1 wrong result or not enough memory, 2 bad option.'
        read_options = .false.
        return
      case default
        call complain("unknown option '"//trim(option)//"'. See --help.")
        read_options = .false.
      end select
      at = at + 2
    end do
    if (.not. read_options) status = bad_option
  end function read_options
end module options
