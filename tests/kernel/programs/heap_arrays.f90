! What heap.cpp has of Fortran: an array of a module, and one that is allocated.
module heap_arrays
  use iso_c_binding
  implicit none
  integer(c_int64_t), target :: table(1048576)
  integer(c_int64_t), allocatable, target :: given(:)
contains
  function heap_module_array(words) result(address) bind(C)
    integer(c_size_t), intent(out) :: words
    type(c_ptr) :: address
    words = size(table)
    address = c_loc(table)
  end function
  function heap_allocated(words) result(address) bind(C)
    integer(c_size_t), value :: words
    type(c_ptr) :: address
    allocate (given(words))
    address = c_loc(given)
  end function
end module
