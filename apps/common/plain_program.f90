! What the Fortran programs share: complaints, numbers on the command line, checksums.
module plain_program
  use, intrinsic :: iso_fortran_env, only: error_unit, int64
  implicit none
  private
  public :: begin_program, complain, read_number, add_bits, hexadecimal

  integer, parameter, public :: real8 = selected_real_kind(15)
  integer, parameter, public :: good = 0, wrong = 1, bad_option = 2  ! exit status

  character(len=16) :: name_of_program = ''

contains

  subroutine begin_program(name)
    character(len=*), intent(in) :: name
    name_of_program = name
  end subroutine begin_program

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

  ! Every bit of the value, turned by its place, which goes on.
  pure subroutine add_bits(value, place, sum_)
    real(real8), intent(in) :: value
    integer, intent(inout) :: place
    integer(int64), intent(inout) :: sum_
    place = mod(place + 7, 64)
    sum_ = ieor(ishftc(sum_, 1), ishftc(transfer(value, 0_int64), place))
  end subroutine add_bits

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
