! What the Fortran programs share: the command line, complaints, checksums.
module plain_program
  use, intrinsic :: iso_fortran_env, only: error_unit, int64
  use omp_lib, only: omp_set_num_threads
  implicit none
  private
  public :: begin_program, complain, checksum_of, hexadecimal

  integer, parameter, public :: real8 = selected_real_kind(15)
  integer, parameter, public :: good = 0, wrong = 1, bad_option = 2  ! exit status

  character(len=16) :: name_of_program = ''

contains

  ! Sets the number of threads, and the grid's size and the steps if they are asked for. False if there is nothing to run:
  ! then status is what to end with. title: what the program does; points: what a size counts; most: the largest size.
  logical function begin_program(name, title, points, most, size_of_grid, steps, status)
    character(len=*), intent(in) :: name, title, points
    integer, intent(in) :: most
    integer, intent(inout) :: size_of_grid, steps
    integer, intent(out) :: status
    character(len=256) :: option, value
    integer :: at, size_asked, steps_asked, threads
    logical :: followed
    name_of_program = name
    begin_program = .true.
    status = good
    size_asked = size_of_grid
    steps_asked = steps
    threads = 0
    at = 1
    do while (at <= command_argument_count() .and. begin_program)
      call get_command_argument(at, option)
      call get_command_argument(at + 1, value)
      followed = at < command_argument_count()
      select case (option)
      case ('--size')
        begin_program = read_number(option, value, followed, 8, most, size_asked)
      case ('--steps')
        begin_program = read_number(option, value, followed, 1, 1000000, steps_asked)
      case ('--threads')
        begin_program = read_number(option, value, followed, 1, 1024, threads)
      case ('--help')
        call print_help(title, points, size_of_grid, steps)
        begin_program = .false.
        return
      case default
        call complain("unknown option '"//trim(option)//"'. See --help.")
        begin_program = .false.
      end select
      at = at + 2
    end do
    size_of_grid = size_asked
    steps = steps_asked
    if (.not. begin_program) status = bad_option
    if (begin_program .and. threads > 0) call omp_set_num_threads(threads)
  end function begin_program

  subroutine print_help(title, points, size_of_grid, steps)
    character(len=*), intent(in) :: title, points
    integer, intent(in) :: size_of_grid, steps
    print '(4a)', trim(name_of_program), ': ', title
    print '(a)', ''
    print '(3a, i0, a)', '  --size N     ', points, ' (', size_of_grid, ')'
    print '(a, i0, a)', '  --steps N    time steps (', steps, ')'
    print '(a)', '  --threads N  threads (what OpenMP would use)', &
      '', &
      'Exit status: 0 verified, 1 wrong result or not enough memory, 2 bad option.'
  end subroutine print_help

  subroutine complain(sentence)
    character(len=*), intent(in) :: sentence
    write (error_unit, '(3a)') trim(name_of_program), ': ', sentence
  end subroutine complain

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

  ! Of every bit of the values, each turned by its place.
  pure integer(int64) function checksum_of(count, values)
    integer, intent(in) :: count
    real(real8), intent(in) :: values(count)
    integer :: i, place
    checksum_of = 0
    place = 0
    do i = 1, count
      place = mod(place + 7, 64)
      checksum_of = ieor(ishftc(checksum_of, 1), ishftc(transfer(values(i), 0_int64), place))
    end do
  end function checksum_of

  character(len=16) function hexadecimal(number)
    integer(int64), intent(in) :: number
    character(len=16), parameter :: digits = '0123456789abcdef'
    integer :: i, digit
    do i = 1, 16
      digit = int(ibits(number, 64 - 4 * i, 4)) + 1
      hexadecimal(i:i) = digits(digit:digit)
    end do
  end function hexadecimal
end module plain_program
