// net/http of Go with its defaults: run with `go run drill.go`.
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

func list() (pets []pet, err error) {
	text, err := send("GET", "/pets?limit=100", "")
	if err == nil {
		err = json.Unmarshal(text, &pets)
	}
	return pets, err
}

func get(id string) error { _, err := send("GET", "/pets/"+id, ""); return err }

func create() error {
	body, _ := json.Marshal(map[string]any{"name": os.Getenv("SANDBOX_PET_NAME"), "categoryId": 1})
	_, err := send("POST", "/pets", string(body))
	return err
}

func run() (err error) {
	times, _ := strconv.Atoi(os.Getenv("SANDBOX_TIMES"))
	task := os.Getenv("SANDBOX_TASK")
	switch task {
	case "list":
		for i := 0; i < times && err == nil; i++ {
			_, err = list()
		}
	case "list-at-once":
		done := make(chan error, times)
		for i := 0; i < times; i++ {
			go func() { _, err := list(); done <- err }()
		}
		for i := 0; i < times; i++ {
			if each := <-done; each != nil {
				err = each
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
		if _, err = list(); err == nil {
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
