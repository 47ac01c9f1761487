package vidimus

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Far longer than a header with two signatures.
const maxHeaderCharacters = 1024

var (
	usableSecret = regexp.MustCompile(`\Awhsec_[!-~]+\z`)
	headerItem   = regexp.MustCompile(`\A([a-z][a-z0-9]*)=([!-~]+)\z`)
	headerTime   = regexp.MustCompile(`\A[0-9]{1,12}\z`)
	headerMAC    = regexp.MustCompile(`\A[0-9a-f]{64}\z`)
)

// Webhook is what VerifyWebhook checks.
type Webhook struct {
	// The raw body, before any parsing.
	Body   []byte
	Header http.Header
	// "whsec_…", or several during a rotation.
	Secrets []string
	// The allowed difference between the sender's clock and yours. By default 300 seconds; negative for none.
	Tolerance time.Duration
	// By default the current time.
	Now time.Time
}

// VerifyWebhook checks that a webhook comes from the service, unaltered and recent, and returns its event. Otherwise it returns a WebhookError
// with the likely cause. An event can be delivered more than once, with the same X-Service-Event-Id.
func VerifyWebhook(webhook Webhook) (*WebhookEvent, error) {
	if len(webhook.Secrets) == 0 {
		return nil, unusable()
	}
	for _, secret := range webhook.Secrets {
		if !usableSecret.MatchString(secret) {
			return nil, unusable()
		}
	}
	values := webhook.Header.Values("X-Service-Signature")
	if len(values) == 0 || values[0] == "" {
		return nil, &WebhookError{"missing_header", "The X-Service-Signature header is missing. Either this request is not from the service, or a proxy or framework removed the header."}
	}
	if len(values) > 1 {
		return nil, &WebhookError{"malformed_header", "X-Service-Signature occurs more than once."}
	}
	t, candidates, err := readSignature(values[0])
	if err != nil {
		return nil, err
	}
	if err := checkTime(t, webhook.Now, webhook.Tolerance); err != nil {
		return nil, err
	}
	if !matches(webhook.Secrets, t, candidates, webhook.Body) {
		return nil, explainMismatch(webhook.Secrets, t, candidates, webhook.Body)
	}
	event := &WebhookEvent{}
	if json.Unmarshal(webhook.Body, &event.Raw) != nil || event.Raw == nil {
		return nil, unreadableEvent()
	}
	kind, isText := event.Raw["type"].(string)
	if !isText {
		return nil, unreadableEvent()
	}
	if json.Unmarshal(webhook.Body, event) != nil {
		// A new event whose members have other types.
		return &WebhookEvent{Type: kind, Raw: event.Raw}, nil
	}
	return event, nil
}

func unusable() error {
	// Usually the environment variable is not set. The message never contains the secret.
	return &WebhookError{"unusable_secret", "The secret must be the complete text starting with whsec_, without spaces or line breaks. Is the environment variable set?"}
}

func unreadableEvent() error {
	return &WebhookError{"unreadable_event", "The signature is valid, but the body is not an event: it is not a JSON object with a type."}
}

func checkTime(t string, now time.Time, tolerance time.Duration) error {
	if now.IsZero() {
		now = time.Now()
	}
	if tolerance == 0 {
		tolerance = 300 * time.Second
	} else if tolerance < 0 {
		tolerance = 0
	}
	signed, _ := strconv.ParseInt(t, 10, 64)
	age, when := now.Unix()-signed, "%d s ago"
	if age < 0 {
		age, when = -age, "%d s in the future"
	}
	if age <= int64(tolerance/time.Second) {
		return nil
	}
	return &WebhookError{"outside_tolerance", fmt.Sprintf("The webhook was signed "+when+", which exceeds the tolerance of %d s. Either it is a replay, or this machine's clock is wrong.", age, int64(tolerance/time.Second))}
}

// readSignature parses t=<unix seconds>,v1=<hex>[,v1=<hex>]. t stays text, because the signature covers its exact characters.
func readSignature(header string) (t string, candidates []string, err error) {
	malformed := func(reason string) (string, []string, error) {
		return "", nil, &WebhookError{"malformed_header", "X-Service-Signature is malformed: " + reason + ". It should be t=<unix seconds>,v1=<64 hex digits>."}
	}
	if len(header) > maxHeaderCharacters {
		return malformed(fmt.Sprintf("it has %d characters", len(header)))
	}
	values := map[string][]string{}
	for _, item := range strings.Split(header, ",") {
		pair := headerItem.FindStringSubmatch(item)
		if pair == nil {
			return malformed("it is not a list of name=value pairs")
		}
		values[pair[1]] = append(values[pair[1]], pair[2])
	}
	switch {
	case len(values["t"]) == 0:
		return malformed("it has no t")
	case len(values["t"]) > 1:
		return malformed("it has more than one t")
	case !headerTime.MatchString(values["t"][0]):
		return malformed("its t is not a number of seconds")
	case len(values["v1"]) == 0:
		return malformed("it has no v1")
	}
	for _, candidate := range values["v1"] {
		if headerMAC.MatchString(candidate) {
			candidates = append(candidates, candidate)
		}
	}
	return values["t"][0], candidates, nil
}

// matches compares every secret with every candidate in constant time, without stopping at the first match.
func matches(secrets []string, t string, candidates []string, body []byte) bool {
	found := false
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(t + "."))
		mac.Write(body)
		expected := []byte(hex.EncodeToString(mac.Sum(nil)))
		for _, candidate := range candidates {
			found = hmac.Equal(expected, []byte(candidate)) || found
		}
	}
	return found
}

// explainMismatch: the service sends compact JSON. A body that is JSON but not compact was parsed and serialised again on the way.
func explainMismatch(secrets []string, t string, candidates []string, body []byte) error {
	var compact bytes.Buffer
	if json.Compact(&compact, body) == nil && !bytes.Equal(compact.Bytes(), body) {
		found := "does not match, and this body is not compact JSON as the service sends it"
		if matches(secrets, t, candidates, compact.Bytes()) {
			found = "matches the compact form of this body"
		}
		return &WebhookError{"reserialised_body", "The signature " + found + ": it looks re-serialised. Pass the raw bytes, read before any JSON middleware."}
	}
	return &WebhookError{"wrong_signature", "The signature matches none of the secrets. Is it the complete secret of this tenant, including whsec_? More than 24 hours after a rotation, only the new secret works. Otherwise the body was altered, or parsed and serialised again."}
}
