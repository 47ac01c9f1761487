package vidimus

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	firstPause = 500 * time.Millisecond
	maxPause   = 30 * time.Second
)

var (
	pageLink = regexp.MustCompile(`<([^>]+)>;\s*rel="alternate"`)
	helpLink = regexp.MustCompile(`<([^>]+)>;\s*rel="help"`)
	seconds  = regexp.MustCompile(`\A[0-9]{1,9}\z`)
)

type request struct {
	method, path string
	params       []string
	query        url.Values
	header       http.Header
	body         any
	// Whether to send it again if the response may have been lost. Otherwise only after one which says that it had no effect.
	repeatable bool
	public     bool
	// The media type of a response that is text.
	accept string
}

// Nullable is a member for which null has a meaning. Leave the pointer nil to change nothing.
type Nullable[T any] struct{ value *T }

// Value sets a member that can be null.
func Value[T any](value T) *Nullable[T] { return &Nullable[T]{&value} }

// Null removes what a member had.
func Null[T any]() *Nullable[T] { return &Nullable[T]{} }

// MarshalJSON implements json.Marshaler.
func (n Nullable[T]) MarshalJSON() ([]byte, error) { return json.Marshal(n.value) }

func send[T any](ctx context.Context, client *Client, sent request) (*T, error) {
	var result T
	if err := client.send(ctx, sent, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// send sends a request, again where that is safe, and decodes the response.
func (c *Client) send(ctx context.Context, sent request, result any) error {
	path, err := fillPath(sent.path, sent.params)
	if err != nil {
		return err
	}
	address := c.options.BaseURL + path
	if len(sent.query) > 0 {
		address += "?" + sent.query.Encode()
	}
	var body []byte
	if sent.body != nil {
		if body, err = json.Marshal(sent.body); err != nil {
			return &ArgumentError{err.Error()}
		}
	}
	for attempt := 0; ; attempt++ {
		header, err := c.sendOnce(ctx, sent, address, body, result)
		if err == nil {
			c.warn(header)
			return nil
		}
		pause, again := retryDelay(err, sent.repeatable, attempt)
		if !again || attempt >= c.options.Retries || ctx.Err() != nil {
			return err
		}
		if err := c.options.Sleep(ctx, pause); err != nil {
			return err
		}
	}
}

func (c *Client) sendOnce(ctx context.Context, sent request, address string, body []byte, result any) (http.Header, error) {
	limited, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	message, err := http.NewRequestWithContext(limited, sent.method, address, bytes.NewReader(body))
	if err != nil {
		return nil, &ArgumentError{err.Error()}
	}
	for name, values := range sent.header {
		message.Header[name] = values
	}
	message.Header.Set("Accept", orElse(sent.accept, "application/json"))
	if !sent.public {
		message.Header.Set("Authorization", "Bearer "+c.options.APIKey)
	}
	if body != nil {
		message.Header.Set("Content-Type", "application/json")
	} else {
		message.Body, message.GetBody = nil, nil
	}
	response, err := c.http.Do(message)
	var text []byte
	if err == nil {
		defer response.Body.Close()
		text, err = io.ReadAll(response.Body)
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		reason := err.Error()
		var failed *url.Error
		if errors.As(err, &failed) {
			reason = failed.Err.Error()
		}
		if limited.Err() != nil {
			reason = fmt.Sprintf("no response within %v", c.options.Timeout)
		}
		where, _, _ := strings.Cut(address, "?")
		return nil, &ConnectionError{fmt.Sprintf("%s %s: %s", sent.method, where, reason), err}
	}
	return response.Header, readResponse(response, text, sent.accept, result)
}

func readResponse(response *http.Response, text []byte, accept string, result any) error {
	succeeded := response.StatusCode >= 200 && response.StatusCode < 300
	if succeeded && accept != "" && strings.HasPrefix(response.Header.Get("Content-Type"), accept) {
		if received, isAny := result.(*any); isAny {
			*received = string(text)
			return nil
		}
	}
	if succeeded && json.Valid(text) {
		if err := json.Unmarshal(text, result); err != nil {
			return unreadable(response)
		}
		if created, isVerification := result.(*Verification); isVerification {
			if page := pageLink.FindStringSubmatch(response.Header.Get("Link")); page != nil {
				created.PageURL = page[1]
			}
		}
		return nil
	}
	var envelope struct {
		Error struct{ Code, Message *string }
	}
	if json.Unmarshal(text, &envelope) != nil || envelope.Error.Code == nil || envelope.Error.Message == nil {
		return unreadable(response)
	}
	return refusal(response, *envelope.Error.Code, *envelope.Error.Message)
}

func unreadable(response *http.Response) error {
	return refusal(response, "unreadable_answer", fmt.Sprintf(
		"The response with status %d is not from the service. Check BaseURL, and whether a proxy responded instead.",
		response.StatusCode,
	))
}

func refusal(response *http.Response, code, message string) error {
	refused := &APIError{
		Code: code, Status: response.StatusCode, Message: message, RequestID: response.Header.Get("X-Request-Id"),
	}
	if after := response.Header.Get("Retry-After"); seconds.MatchString(after) {
		number, _ := strconv.Atoi(after)
		refused.RetryAfterSeconds = &number
	}
	if help := helpLink.FindStringSubmatch(response.Header.Get("Link")); help != nil {
		refused.Help = help[1]
	}
	return refused
}

// retryDelay returns the pause before the next attempt; false if the request must not be retried, or only much later.
func retryDelay(err error, repeatable bool, attempt int) (time.Duration, bool) {
	backoff := firstPause << attempt
	jittered := backoff/2 + time.Duration(mathrand.Int63n(int64(backoff/2)+1))
	var lost *ConnectionError
	if errors.As(err, &lost) {
		return jittered, repeatable
	}
	var refused *APIError
	if !errors.As(err, &refused) || !isTransient(refused, repeatable) {
		return 0, false
	}
	if refused.RetryAfterSeconds == nil {
		return jittered, true
	}
	after := time.Duration(*refused.RetryAfterSeconds) * time.Second
	if after < jittered {
		after = jittered
	}
	return after, after <= maxPause
}

// isTransient: a 429 means that the request had no effect; after a 5xx it may have had one.
func isTransient(refused *APIError, repeatable bool) bool {
	if refused.Status == http.StatusTooManyRequests {
		return refused.Code != "quota_exceeded"
	}
	return repeatable && (refused.Status >= 500 || refused.Code == "idempotency_key_in_flight")
}

func (c *Client) warn(header http.Header) {
	if warnings := header.Get("X-Service-Warning"); warnings != "" {
		for _, warning := range strings.Split(warnings, "; ") {
			c.options.OnWarning(warning)
		}
	}
}

// fillPath fills in the parameters, which cannot change the path.
func fillPath(path string, params []string) (string, error) {
	if len(placeholder.FindAllString(path, -1)) != len(params) {
		return "", &ArgumentError{fmt.Sprintf("%s does not have %d parameters.", path, len(params))}
	}
	for _, value := range params {
		if value == "" {
			return "", &ArgumentError{"The id is empty."}
		}
		place := placeholder.FindStringIndex(path)
		path = path[:place[0]] + url.PathEscape(value) + path[place[1]:]
	}
	return path, nil
}

func addQuery(query url.Values, name string, value any) {
	switch given := value.(type) {
	case string:
		if given != "" {
			query.Set(name, given)
		}
	case int:
		if given != 0 {
			query.Set(name, strconv.Itoa(given))
		}
	case *bool:
		if given != nil {
			query.Set(name, strconv.FormatBool(*given))
		}
	case map[string]string:
		for key, each := range given {
			query.Set(name+"["+key+"]", each)
		}
	}
}

func addHeader(header http.Header, name, value string) {
	if value != "" {
		header.Set(name, value)
	}
}

func keyOr(key string) string {
	if key != "" {
		return key
	}
	random := make([]byte, 16)
	if _, err := rand.Read(random); err != nil {
		panic(err) // Without randomness a retry would not be safe.
	}
	return hex.EncodeToString(random)
}

func orElse(value, other string) string {
	if value == "" {
		return other
	}
	return value
}

func isTrue(value *bool) bool { return value != nil && *value }
