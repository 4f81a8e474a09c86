// A Go program that calls a library with OpenMP from several of its threads, renames itself in place, and starts itself
// once more.
package main

// #cgo LDFLAGS: -lwork
// double work(int n);
// double* squares(int n);
// #include <stdlib.h>
import "C"

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"unsafe"
)

// The words that the kernel shows (ps) lie where main's argv points to.
func rename(name string) {
	text := *(**byte)(unsafe.Pointer(&os.Args[0])) // of a string's address and length
	word := unsafe.Slice(text, len(os.Args[0]))
	n := copy(word, name)
	for i := n; i < len(word); i++ {
		word[i] = 0
	}
}

func main() {
	file, _ := os.Executable()
	rename("gopher")
	shown, _ := os.ReadFile("/proc/self/cmdline")
	fmt.Println(strings.HasPrefix(string(shown), "gopher\x00"), len(os.Args), os.Getenv("WORD"))
	var all sync.WaitGroup
	for i := 0; i < 4; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			for k := 0; k < 20; k++ {
				C.free(unsafe.Pointer(C.squares(50000)))
				if C.work(1000) != 499500 {
					panic("wrong")
				}
			}
		}()
	}
	all.Wait()
	if len(os.Args) == 1 {
		said, err := exec.Command(file, "again").Output()
		fmt.Print(string(said))
		fmt.Println(err)
	}
}
