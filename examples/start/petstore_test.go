package petstore

import (
	"encoding/json"
	"net/http"
	"os"
	"testing"
)

// Call your own client here. `petstore-sandbox exec` sets both variables.
func get(path string) (*http.Response, error) {
	request, err := http.NewRequest("GET", os.Getenv("SANDBOX_URL")+path, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("SANDBOX_KEY"))
	return http.DefaultClient.Do(request)
}

func TestListsThePetsThatAreAvailable(t *testing.T) {
	response, err := get("/pets?status=available&limit=5")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var pets []struct{ Name string }
	if err := json.NewDecoder(response.Body).Decode(&pets); err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != 200 || len(pets) == 0 || pets[0].Name != "Biscuit" {
		t.Fatalf("%d %v", response.StatusCode, pets)
	}
}
