package pets

import (
	"io"
	"net/http"
	"testing"

	"example.org/pets/sandbox"
)

func get(s *sandbox.Sandbox, path string) string {
	request, _ := http.NewRequest("GET", s.URL+path, nil)
	request.Header.Set("Authorization", "Bearer "+s.Key)
	response, _ := http.DefaultClient.Do(request)
	body, _ := io.ReadAll(response.Body)
	return string(body)
}

func TestGood(t *testing.T) {
	petstore := sandbox.New(t, "empty")
	if get(petstore, "/pets") != "[]" { t.Fatal("not empty") }
	petstore.Verify(`{"operation":"listPets","exactly":1}`)
	get(petstore, "/pets?limit=500")
	petstore.ExpectedInvalid = "listPets:400"
}

func TestContract(t *testing.T) { get(sandbox.New(t, "empty"), "/pets?limit=500") }

func TestOwn(t *testing.T) {
	if get(sandbox.New(t, "empty"), "/pets") != "something else" { t.Fatal("it is something else") }
}

func TestVerified(t *testing.T) {
	petstore := sandbox.New(t, "empty")
	get(petstore, "/pets")
	petstore.Verify(`{"operation":"listPets","exactly":2}`)
}
