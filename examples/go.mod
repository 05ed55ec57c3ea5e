// Keeps `go test ./...` of a project that has this package in its node_modules out of these examples.
module petstore-sandbox/examples

go 1.19
