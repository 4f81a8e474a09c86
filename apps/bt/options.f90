! The command line, and how the program ends.
module options
  use, intrinsic :: iso_fortran_env, only: error_unit
  use omp_lib, only: omp_get_max_threads
  implicit none
  private
  public :: read_options, complain

  integer, parameter, public :: good = 0, wrong = 1, bad_option = 2
  integer, public, protected :: size_of_grid = 62, steps = 20, threads = 1

contains

  subroutine complain(sentence)
    character(len=*), intent(in) :: sentence
    write (error_unit, '(2a)') 'bt: ', sentence
  end subroutine complain

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
        read_options = read_number(option, value, followed, 8, 1024, size_of_grid)
      case ('--steps')
        read_options = read_number(option, value, followed, 1, 1000000, steps)
      case ('--threads')
        read_options = read_number(option, value, followed, 1, 1024, threads)
      case ('--help')
        call print_help()
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

  logical function read_number(option, text, followed, least, most, number)
    character(len=*), intent(in) :: option, text
    logical, intent(in) :: followed
    integer, intent(in) :: least, most
    integer, intent(inout) :: number
    character(len=64) :: bounds
    integer :: found
    if (.not. followed) then
      call complain(trim(option)//': a value must follow. See --help.')
      read_number = .false.
      return
    end if
    found = -1
    if (len_trim(text) > 0 .and. len_trim(text) < 10 .and. verify(trim(text), '0123456789') == 0) read (text, *) found
    read_number = found >= least .and. found <= most
    if (read_number) then
      number = found
    else
      write (bounds, '(a, i0, a, i0)') 'must be a whole number from ', least, ' to ', most
      call complain(trim(option)//": '"//trim(text)//"' "//trim(bounds)//'. See --help.')
    end if
  end function read_number

  subroutine print_help()
    print '(a)', 'bt: block-tridiagonal solves along the lines of a grid, alternating directions', &
      '', &
      '  --size N     points in each direction, boundary included (62)', &
      '  --steps N    time steps (20)', &
      '  --threads N  threads (what OpenMP would use)', &
      '', &
      'Exit status: 0 verified, 1 wrong result or not enough memory, 2 bad option.'
  end subroutine print_help
end module options
