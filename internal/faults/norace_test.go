//go:build !race

package faults_test

// raced says that everything takes ten times as long, so that less is done.
const raced = false
