// A program of Go's that calls C with OpenMP. Go's runtime reads the auxiliary vector behind the environment behind argv.
package main

// #cgo LDFLAGS: -L. -lsum -Wl,-rpath,$ORIGIN
// int sum(int n);
import "C"

import (
	"fmt"
	"os"
)

func main() {
	fmt.Println(os.Args[1:], os.Getenv("WORD"), os.Getpagesize(), C.sum(1000))
}
