! LB-HM for Fortran: the functions of lbhm.h. Compile it with the program, and link that with -llbhm (Fortran has no weak
! references: without the library the program does not link).
!
!     use lbhm
!     type(lbhm_object) :: objects(2)
!     objects(1) = lbhm_object(c_loc(a), c_sizeof(a), c_null_ptr)
!     objects(2) = lbhm_object(c_loc(b), c_sizeof(b), c_null_ptr)
!     call lbhm_phase("ring")                 ! or lbhm_phase(7)
!     plan = lbhm_config(objects, size(objects, kind=c_size_t))
!     call lbhm_task(i)                       ! in a parallel region: or lbhm_task("block 7")
module lbhm
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: lbhm_object, lbhm_config, lbhm_phase, lbhm_task, c_loc, c_sizeof, c_null_ptr, c_ptr, c_size_t

  type, bind(c) :: lbhm_object
    type(c_ptr) :: address = c_null_ptr
    integer(c_size_t) :: bytes = 0      ! 0 asks the registry
    type(c_ptr) :: name = c_null_ptr    ! for reports: a string that ends with c_null_char
  end type

  interface
    function lbhm_config(objects, count) bind(c, name="lbhm_config") result(plan)
      import :: lbhm_object, c_size_t, c_ptr
      type(lbhm_object), intent(in) :: objects(*)
      integer(c_size_t), value :: count
      type(c_ptr) :: plan
    end function
    subroutine c_phase(name) bind(c, name="lbhm_phase")
      import :: c_char
      character(kind=c_char), intent(in) :: name(*)
    end subroutine
    subroutine c_phase_number(number) bind(c, name="lbhm_phase_number")
      import :: c_long_long
      integer(c_long_long), value :: number
    end subroutine
    subroutine c_transition(name) bind(c, name="lbhm_phase_transition")
      import :: c_char
      character(kind=c_char), intent(in) :: name(*)
    end subroutine
    subroutine c_task(name) bind(c, name="lbhm_task")
      import :: c_char
      character(kind=c_char), intent(in) :: name(*)
    end subroutine
    subroutine c_task_number(number) bind(c, name="lbhm_task_number")
      import :: c_long_long
      integer(c_long_long), value :: number
    end subroutine
  end interface

  ! What kind of input the next call of lbhm_config is for.
  interface lbhm_phase
    module procedure phase_of_name, phase_of_number
  end interface

  ! What the calling thread works at from here on, in a parallel region.
  interface lbhm_task
    module procedure task_of_name, task_of_number
  end interface

contains

  subroutine phase_of_name(name)
    character(len=*), intent(in) :: name
    call c_phase(name(:len_trim(name)) // c_null_char)
  end subroutine

  subroutine phase_of_number(number)
    integer, intent(in) :: number
    call c_phase_number(int(number, c_long_long))
  end subroutine

  ! The program goes over to another phase.
  subroutine lbhm_phase_transition(name)
    character(len=*), intent(in) :: name
    call c_transition(name(:len_trim(name)) // c_null_char)
  end subroutine

  subroutine task_of_name(name)
    character(len=*), intent(in) :: name
    call c_task(name(:len_trim(name)) // c_null_char)
  end subroutine

  subroutine task_of_number(number)
    integer, intent(in) :: number
    call c_task_number(int(number, c_long_long))
  end subroutine

end module
