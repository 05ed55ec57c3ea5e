// net/http of Go with its defaults: run with `go run drill.go`. It prints the pets and lists that the task asks for.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
)

type pet struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// As a line of JSON.
func show(result any, err error) error {
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(result)
	}
	return err
}

func send(method, path, body string) ([]byte, error) {
	request, _ := http.NewRequest(method, os.Getenv("SANDBOX_URL")+path, strings.NewReader(body))
	request.Header.Set("Authorization", "Bearer "+os.Getenv("SANDBOX_KEY"))
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode >= 400 {
		err = fmt.Errorf("%d %s", response.StatusCode, text)
	}
	return text, err
}

func read[T any](text []byte, err error) (result T, _ error) {
	if err == nil {
		err = json.Unmarshal(text, &result)
	}
	return result, err
}

func list() ([]pet, error) { return read[[]pet](send("GET", "/pets?limit=100", "")) }

func get(id string) error { return show(read[pet](send("GET", "/pets/"+id, ""))) }

func create() error {
	body, _ := json.Marshal(map[string]any{"name": os.Getenv("SANDBOX_PET_NAME"), "categoryId": 1})
	return show(read[pet](send("POST", "/pets", string(body))))
}

func run() (err error) {
	times, _ := strconv.Atoi(os.Getenv("SANDBOX_TIMES"))
	task := os.Getenv("SANDBOX_TASK")
	switch task {
	case "list":
		for i := 0; i < times && err == nil; i++ {
			err = show(list())
		}
	case "list-at-once":
		type result struct {
			pets []pet
			err  error
		}
		done := make(chan result, times)
		for i := 0; i < times; i++ {
			go func() { pets, err := list(); done <- result{pets, err} }()
		}
		for i := 0; i < times; i++ {
			each := <-done
			if each.err = show(each.pets, each.err); each.err != nil {
				err = each.err
			}
		}
	case "create":
		err = create()
	case "get":
		err = get(os.Getenv("SANDBOX_PET_ID"))
	case "list-and-get":
		pets, listed := list()
		err = listed
		for _, each := range pets {
			if each.Name == os.Getenv("SANDBOX_PET_NAME") {
				err = get(strconv.FormatInt(each.ID, 10))
			}
		}
	case "all":
		if err = show(list()); err == nil {
			if err = create(); err == nil {
				err = get(os.Getenv("SANDBOX_PET_ID"))
			}
		}
	}
	return err
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
