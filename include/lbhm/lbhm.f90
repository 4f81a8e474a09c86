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
!
! Allocators with the traits of omp_traits.h, for omp_alloc and the allocate directive:
!
!     allocator = lbhm_init_allocator(omp_default_mem_space, [lbhm_managed(.true.), lbhm_sensitivity(lbhm_latency)])
module lbhm
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: lbhm_trait, lbhm_init_allocator, lbhm_managed, lbhm_tier_hint, lbhm_pattern_hint, lbhm_group, lbhm_name
  public :: lbhm_sensitivity, lbhm_migratable, lbhm_move
  public :: lbhm_object, lbhm_config, lbhm_phase, lbhm_task, c_loc, c_sizeof, c_null_ptr, c_ptr, c_size_t

  type, bind(c) :: lbhm_object
    type(c_ptr) :: address = c_null_ptr
    integer(c_size_t) :: bytes = 0      ! 0 asks the registry
    type(c_ptr) :: name = c_null_ptr    ! for reports: a string that ends with c_null_char
  end type

  ! As omp_alloctrait of OpenMP, which compilers keep in modules of their own: its keys may stand in it, too.
  type, bind(c) :: lbhm_trait
    integer(c_int) :: key = 0
    integer(c_intptr_t) :: value = 0
  end type

  integer, parameter, public :: lbhm_pattern_stream = 1, lbhm_pattern_strided = 2, lbhm_pattern_stencil = 3
  integer, parameter, public :: lbhm_pattern_random = 4
  integer, parameter, public :: lbhm_bandwidth = 1, lbhm_latency = 2
  integer, parameter, public :: lbhm_large_capacity = 255, lbhm_high_bandwidth = 256, lbhm_low_latency = 257

  interface
    function c_init_allocator(space, count, traits) bind(c, name="omp_init_allocator") result(allocator)
      import :: lbhm_trait, c_int, c_intptr_t
      integer(c_intptr_t), value :: space
      integer(c_int), value :: count
      type(lbhm_trait), intent(in) :: traits(*)
      integer(c_intptr_t) :: allocator
    end function
    ! 0, or -1 if some of it stayed; `memory`: a number from 0, or lbhm_high_bandwidth and so on.
    function lbhm_move(object, memory) bind(c, name="lbhm_move") result(stayed)
      import :: c_ptr, c_int
      type(c_ptr), value :: object
      integer(c_int), value :: memory
      integer(c_int) :: stayed
    end function
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

  function lbhm_init_allocator(space, traits) result(allocator)
    integer(c_intptr_t), intent(in) :: space
    type(lbhm_trait), intent(in), contiguous :: traits(:)
    integer(c_intptr_t) :: allocator
    allocator = c_init_allocator(space, int(size(traits), c_int), traits)
  end function

  ! Keys: LBHM_ATK_* of omp_traits.h.
  pure function trait(number, value)
    integer, intent(in) :: number
    integer(c_intptr_t), intent(in) :: value
    type(lbhm_trait) :: trait
    trait = lbhm_trait(int(z"4c420000", c_int) + int(number, c_int), value)
  end function

  pure function lbhm_managed(managed)
    logical, intent(in) :: managed
    type(lbhm_trait) :: lbhm_managed
    lbhm_managed = trait(1, merge(1_c_intptr_t, 0_c_intptr_t, managed))
  end function

  pure function lbhm_tier_hint(tier)
    integer, intent(in) :: tier
    type(lbhm_trait) :: lbhm_tier_hint
    lbhm_tier_hint = trait(2, int(tier, c_intptr_t))
  end function

  pure function lbhm_pattern_hint(pattern)
    integer, intent(in) :: pattern
    type(lbhm_trait) :: lbhm_pattern_hint
    lbhm_pattern_hint = trait(3, int(pattern, c_intptr_t))
  end function

  pure function lbhm_group(group)
    integer, intent(in) :: group
    type(lbhm_trait) :: lbhm_group
    lbhm_group = trait(4, int(group, c_intptr_t))
  end function

  ! `name`: c_loc of a string that ends with c_null_char, and is there until the allocator is made.
  function lbhm_name(name)
    type(c_ptr), intent(in) :: name
    type(lbhm_trait) :: lbhm_name
    lbhm_name = trait(5, transfer(name, 0_c_intptr_t))
  end function

  pure function lbhm_sensitivity(kind)
    integer, intent(in) :: kind
    type(lbhm_trait) :: lbhm_sensitivity
    lbhm_sensitivity = trait(6, int(kind, c_intptr_t))
  end function

  pure function lbhm_migratable(migratable)
    logical, intent(in) :: migratable
    type(lbhm_trait) :: lbhm_migratable
    lbhm_migratable = trait(7, merge(1_c_intptr_t, 0_c_intptr_t, migratable))
  end function

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
