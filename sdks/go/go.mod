module github.com/OWNER/vidimus/sdks/go

go 1.19
