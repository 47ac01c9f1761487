// Command program does what ../../../test asks on standard input, one line each, and reports the outcome.
package main

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"time"

	vidimus "github.com/OWNER/vidimus/sdks/go"
)

type asked struct {
	Client struct {
		BaseURL   string `json:"base_url"`
		APIKey    string `json:"api_key"`
		TimeoutMS int    `json:"timeout_ms"`
		Retries   *int
	}
	Do   string
	With given
}

type given struct {
	ID, Operation string
	Body, Query   json.RawMessage
	Params        []string
	Options       map[string]any
	TimeoutMS     int `json:"timeout_ms"`
	IntervalMS    int `json:"interval_ms"`
	// Of a webhook.
	Headers   map[string]string
	Secret    any
	Now       int64
	Tolerance *int `json:"tolerance_seconds"`
	// Of a sealed result.
	Verification *vidimus.Verification
	Keys         []json.RawMessage
}

type outcome struct {
	Value    any      `json:"value,omitempty"`
	Error    any      `json:"error,omitempty"`
	Pauses   []int64  `json:"pauses_ms"`
	Warnings []string `json:"warnings"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var line asked
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			panic(err)
		}
		result := outcome{Pauses: []int64{}, Warnings: []string{}}
		value, err := do(line, &result)
		if err != nil {
			result.Error = describe(err)
		} else {
			result.Value = value
		}
		text, err := json.Marshal(result)
		if err != nil {
			panic(err)
		}
		fmt.Println(string(text))
	}
}

func do(line asked, result *outcome) (any, error) {
	if line.Do == "verify" {
		return verify(line.With)
	}
	if line.Do == "open" {
		return open(line.With)
	}
	options := vidimus.Options{
		BaseURL:   line.Client.BaseURL,
		APIKey:    line.Client.APIKey,
		Timeout:   time.Duration(line.Client.TimeoutMS) * time.Millisecond,
		OnWarning: func(warning string) { result.Warnings = append(result.Warnings, warning) },
		Sleep: func(_ context.Context, pause time.Duration) error {
			result.Pauses = append(result.Pauses, pause.Round(time.Millisecond).Milliseconds())
			return nil
		},
	}
	if retries := line.Client.Retries; retries != nil {
		options.Retries = *retries
		if *retries == 0 {
			options.Retries = -1
		}
	}
	client, err := vidimus.New(options)
	if err != nil || line.Do == "connect" {
		return nil, err
	}
	return act(client, line.Do, line.With)
}

func act(client *vidimus.Client, action string, with given) (any, error) {
	ctx := context.Background()
	id, verifications := with.ID, client.Verifications
	switch action {
	case "create":
		options := &vidimus.CreateVerificationOptions{IdempotencyKey: text(with, "idempotency_key"), Strict: flag(with, "strict")}
		return withPage(client)(verifications.Create(ctx, read[vidimus.CreateVerification](with), options))
	case "retrieve":
		return withPage(client)(verifications.Retrieve(ctx, id))
	case "list":
		return verifications.List(ctx, listOptions(with))
	case "list_all":
		all := []any{}
		iterator := verifications.ListAll(ctx, listOptions(with))
		for iterator.Next() {
			all = append(all, iterator.Value())
		}
		return all, iterator.Err()
	case "cancel":
		return verifications.Cancel(ctx, id)
	case "compare":
		return verifications.Compare(ctx, id, read[vidimus.ComparePhoto](with))
	case "redeem":
		return verifications.Redeem(ctx, id, read[vidimus.RedeemResponseCode](with))
	case "delete":
		return verifications.Delete(ctx, id)
	case "status":
		return verifications.Status(ctx, id)
	case "wait":
		timeout := time.Duration(with.TimeoutMS) * time.Millisecond
		if timeout == 0 {
			timeout = 1
		}
		return verifications.WaitForCompletion(ctx, id, &vidimus.WaitOptions{Timeout: timeout, Interval: time.Duration(with.IntervalMS) * time.Millisecond})
	case "templates":
		return client.Templates.List(ctx)
	case "usage":
		return client.Usage.Retrieve(ctx)
	case "create_device":
		return client.Devices.Create(ctx, read[vidimus.RegisterDevice](with))
	case "list_devices":
		return client.Devices.List(ctx)
	case "update_device":
		return client.Devices.Update(ctx, id, change(with))
	case "revoke_device":
		return client.Devices.Revoke(ctx, id)
	case "create_endpoint":
		return client.WebhookEndpoints.Create(ctx, read[vidimus.CreateWebhookEndpoint](with))
	case "update_endpoint":
		return client.WebhookEndpoints.Update(ctx, id, read[vidimus.ChangeWebhookEndpoint](with))
	case "rotate_secret":
		return client.WebhookEndpoints.RotateSecret(ctx, id)
	case "delete_endpoint":
		return client.WebhookEndpoints.Delete(ctx, id)
	case "export_config":
		return client.Config.Export(ctx)
	case "apply_config":
		return client.Config.Apply(ctx, with.Body, &vidimus.ApplyConfigOptions{
			DryRun: flag(with, "dry_run"), Prune: flag(with, "prune"), IfMatch: text(with, "if_match"),
		})
	case "call":
		var body any
		if with.Body != nil {
			body = with.Body
		}
		query := url.Values{}
		var members map[string]any
		_ = json.Unmarshal(with.Query, &members)
		for name, value := range members {
			query.Set(name, fmt.Sprint(value))
		}
		return client.Call(ctx, with.Operation, with.Params, query, body)
	}
	return nil, fmt.Errorf("there is no action %s", action)
}

func verify(with given) (any, error) {
	var body struct{ Base64 string }
	if err := json.Unmarshal(with.Body, &body); err != nil {
		return nil, err
	}
	raw, err := base64.StdEncoding.DecodeString(body.Base64)
	if err != nil {
		return nil, err
	}
	webhook := vidimus.Webhook{Body: raw, Header: http.Header{}}
	for name, value := range with.Headers {
		webhook.Header.Set(name, value)
	}
	switch secret := with.Secret.(type) {
	case string:
		webhook.Secrets = []string{secret}
	case []any:
		for _, each := range secret {
			webhook.Secrets = append(webhook.Secrets, each.(string))
		}
	}
	if with.Now != 0 {
		webhook.Now = time.Unix(with.Now, 0)
	}
	if with.Tolerance != nil {
		webhook.Tolerance = time.Duration(*with.Tolerance) * time.Second
		if *with.Tolerance == 0 {
			webhook.Tolerance = -1
		}
	}
	event, err := vidimus.VerifyWebhook(webhook)
	if err != nil {
		return nil, err
	}
	return map[string]any{"type": event.Type, "verification": event.Verification, "alert": event.Alert, "raw": event.Raw}, nil
}

func open(with given) (any, error) {
	keys := [][]byte{}
	for _, key := range with.Keys {
		keys = append(keys, key)
	}
	opened, err := vidimus.OpenResult(with.Verification, keys...)
	if err != nil {
		return nil, err
	}
	return map[string]any{"claims": opened.Claims, "credentials": opened.Credentials}, nil
}

func withPage(client *vidimus.Client) func(*vidimus.Verification, error) (any, error) {
	return func(verification *vidimus.Verification, err error) (any, error) {
		if err != nil {
			return nil, err
		}
		return map[string]any{"verification": verification, "page": client.Verifications.PageURL(verification)}, nil
	}
}

func read[T any](with given) T {
	var body T
	if err := json.Unmarshal(with.Body, &body); err != nil {
		panic(err)
	}
	return body
}

// change reads what encoding/json cannot tell apart: null, and nothing.
func change(with given) vidimus.ChangeDevice {
	var members map[string]any
	_ = json.Unmarshal(with.Body, &members)
	var body vidimus.ChangeDevice
	nullable := func(name string) *vidimus.Nullable[string] {
		value, given := members[name]
		if !given {
			return nil
		}
		if text, isText := value.(string); isText {
			return vidimus.Value(text)
		}
		return vidimus.Null[string]()
	}
	body.Pin, body.Purpose = nullable("pin"), nullable("purpose")
	body.Name, _ = members["name"].(string)
	if awake, given := members["keep_awake"].(bool); given {
		body.KeepAwake = vidimus.Ptr(awake)
	}
	return body
}

func listOptions(with given) *vidimus.ListVerificationsOptions {
	options := &vidimus.ListVerificationsOptions{
		Before: text(with, "before"), Status: text(with, "status"), Template: text(with, "template"),
		CreatedAfter: text(with, "created_after"), CreatedBefore: text(with, "created_before"),
	}
	if limit, given := with.Options["limit"].(float64); given {
		options.Limit = int(limit)
	}
	if metadata, given := with.Options["metadata"].(map[string]any); given {
		options.Metadata = map[string]string{}
		for name, value := range metadata {
			options.Metadata[name] = value.(string)
		}
	}
	return options
}

func text(with given, name string) string {
	value, _ := with.Options[name].(string)
	return value
}

func flag(with given, name string) *bool {
	if value, given := with.Options[name].(bool); given {
		return &value
	}
	return nil
}

func describe(err error) map[string]any {
	described := map[string]any{"kind": "unexpected", "message": err.Error()}
	var refused *vidimus.APIError
	var lost *vidimus.ConnectionError
	var argument *vidimus.ArgumentError
	var webhook *vidimus.WebhookError
	var sealed *vidimus.SealedResultError
	switch {
	case errors.As(err, &refused):
		described["kind"], described["code"], described["status"] = "api", refused.Code, refused.Status
		described["request_id"], described["retry_after_seconds"], described["help"] = refused.RequestID, refused.RetryAfterSeconds, refused.Help
	case errors.As(err, &lost):
		described["kind"] = "connection"
	case errors.As(err, &argument):
		described["kind"] = "argument"
	case errors.As(err, &webhook):
		described["kind"], described["reason"] = "webhook", webhook.Reason
	case errors.As(err, &sealed):
		described["kind"], described["reason"] = "sealed", sealed.Reason
	case errors.Is(err, vidimus.ErrStillPending):
		described["kind"] = "still_pending"
	}
	return described
}
