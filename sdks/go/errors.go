package vidimus

import "errors"

// ErrStillPending is returned when WaitForCompletion timed out. The wallet may still respond.
var ErrStillPending = errors.New("the verification is still pending")

// APIError says that the service refused the request. Decide by Code, which is stable; the message is for people.
type APIError struct {
	// A published code, or "unreadable_answer" if the response is not from the service, for example from a proxy.
	Code    string
	Status  int
	Message string
	// Identifies the request in the service's log.
	RequestID string
	// When to retry, according to the service; nil if it did not say.
	RetryAfterSeconds *int
	// The address of this code's documentation.
	Help string
}

func (e *APIError) Error() string { return e.Message }

// ConnectionError says that there was no response: not reached, connection lost, or timed out. The request may still have taken effect.
type ConnectionError struct {
	message string
	cause   error
}

func (e *ConnectionError) Error() string { return e.message }
func (e *ConnectionError) Unwrap() error { return e.cause }

// ArgumentError says that a request was not sent, because an option or an id cannot be right.
type ArgumentError struct{ message string }

func (e *ArgumentError) Error() string { return e.message }

// WebhookError says that a webhook must not be trusted. Reason is for programs; the message says what to check.
type WebhookError struct {
	Reason  string
	message string
}

func (e *WebhookError) Error() string { return e.message }

// SealedResultError says that a sealed result cannot be opened ("no_key", "damaged", "unsupported", "unusable_key"), or must not be accepted
// ("other_verification").
type SealedResultError struct {
	Reason  string
	message string
}

func (e *SealedResultError) Error() string { return e.message }
