// Package vidimus is the client for the Vidimus API: request verified claims from digital identity wallets.
package vidimus

import (
	"context"
	"log"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// Options are the options of a client. BaseURL and APIKey are required.
type Options struct {
	// The address of the service, for example "https://verify.example".
	BaseURL string
	// "vk_test_…" or "vk_live_…". Keep it on a server.
	APIKey string
	// How long one attempt may take, including the response body. By default 30 seconds.
	Timeout time.Duration
	// How often a request is retried when that is safe. By default 2; negative for never.
	Retries int
	// Called for each warning of a response, such as a mistake in a query that was accepted. By default it is logged.
	OnWarning func(warning string)
	// How to pause between attempts. By default a timer that the context ends.
	Sleep func(ctx context.Context, pause time.Duration) error
	// How to connect, for example through a proxy. By default http.DefaultTransport.
	Transport http.RoundTripper
}

// Client is a client for a merchant's server. It can be shared between goroutines.
type Client struct {
	Verifications    *VerificationsResource
	Templates        *TemplatesResource
	Devices          *DevicesResource
	Config           *ConfigResource
	WebhookEndpoints *WebhookEndpointsResource
	Usage            *UsageResource

	options Options
	http    *http.Client
}

var (
	usableKey   = regexp.MustCompile(`\Avk_(?:test|live)_[!-~]+\z`)
	placeholder = regexp.MustCompile(`\{\w+\}`)
)

// New creates a client. It refuses unusable options with an ArgumentError.
func New(options Options) (*Client, error) {
	if !usableKey.MatchString(options.APIKey) {
		return nil, &ArgumentError{"APIKey must start with vk_test_ or vk_live_ and have no spaces or line breaks. Is the environment variable set?"}
	}
	base, err := url.Parse(options.BaseURL)
	if err != nil || (base.Scheme != "http" && base.Scheme != "https") || base.Host == "" {
		return nil, &ArgumentError{"BaseURL must be an http or https URL, such as https://verify.example."}
	}
	options.BaseURL = base.Scheme + "://" + base.Host + strings.TrimRight(base.EscapedPath(), "/")
	if options.Timeout == 0 {
		options.Timeout = 30 * time.Second
	}
	if options.Retries == 0 {
		options.Retries = 2
	}
	if options.OnWarning == nil {
		options.OnWarning = func(warning string) { log.Print("Vidimus: ", warning) }
	}
	if options.Sleep == nil {
		options.Sleep = sleep
	}
	client := &Client{options: options, http: &http.Client{
		Transport: options.Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}}
	client.Verifications = &VerificationsResource{client}
	client.Templates = &TemplatesResource{client}
	client.Devices = &DevicesResource{client}
	client.Config = &ConfigResource{client}
	client.WebhookEndpoints = &WebhookEndpointsResource{client}
	client.Usage = &UsageResource{client}
	return client, nil
}

type operation struct {
	name, method, path string
	repeatable         bool
	accept             string
}

func indexByName(all []operation) map[string]operation {
	index := map[string]operation{}
	for _, each := range all {
		index[each.name] = each
	}
	return index
}

// Call calls an operation that manages templates, settings, trust, clients, keys or logs, by its name in the API reference. Params fill its
// path; body can be nil. It returns the JSON of the response, or its text if that is not JSON.
func (c *Client) Call(ctx context.Context, name string, params []string, query url.Values, body any) (any, error) {
	call, known := operations[name]
	if !known {
		return nil, &ArgumentError{"There is no operation " + name + ". The API reference lists them."}
	}
	var result any
	err := c.send(ctx, request{
		method: call.method, path: call.path, params: params, query: query, body: body,
		repeatable: call.repeatable, accept: call.accept,
	}, &result)
	return result, err
}

// Ptr returns a pointer to a value, for members that can be left out.
func Ptr[T any](value T) *T { return &value }

func sleep(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
