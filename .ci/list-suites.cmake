# SPDX-License-Identifier: GPL-2.0-only
#
# cmake -DRUNNER=... -DLIST=... -P list-suites.cmake: writes to LIST a CTest test for each suite that the
# runner knows, but for those that take long on purpose (type performance). Part of stand-alone.cmake. The
# environment of ctest may have DCFABRIC_FULLNESS: QUICK (the default), EXTENSIVE or TAKES_FOREVER.

function(suites_of variable)
  execute_process(
    COMMAND ${RUNNER} --print-test-name-list ${ARGN}
    OUTPUT_VARIABLE names
    RESULT_VARIABLE status
  )
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${RUNNER} --print-test-name-list: status ${status}")
  endif()
  string(REGEX MATCHALL "dcfabric-[a-z0-9-]+" names "${names}")
  set(${variable} ${names} PARENT_SCOPE)
endfunction()

suites_of(all)
suites_of(slow --test-type=performance)
if(slow)
  list(REMOVE_ITEM all ${slow})
endif()
set(text "set(fullness \$ENV{DCFABRIC_FULLNESS})\nif(NOT fullness)\n  set(fullness QUICK)\nendif()\n")
foreach(suite ${all})
  string(APPEND text "add_test(${suite} \"${RUNNER}\" --suite=${suite} --fullness=\${fullness} --verbose)\n"
                     "set_tests_properties(${suite} PROPERTIES TIMEOUT 1200)\n"
  )
endforeach()
file(WRITE ${LIST} "${text}")
