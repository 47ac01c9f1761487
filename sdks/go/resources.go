// Code generated from the contract by sdks/generate. DO NOT EDIT. A test compares; change the contract, then run the build.

package vidimus

import (
	"context"
	"net/http"
	"net/url"
)

// CreateVerification: give exactly one of `template` and `query`.
type CreateVerification struct {
	// The key of a built-in template or one of your own.
	Template string `json:"template,omitempty"`
	// Values for the parameters of the template, such as the age of `age_over`. Those that it gives a default may be left out. `GET /v1/templates` lists them.
	Parameters map[string]any `json:"parameters,omitempty"`
	// What you expect of the claims that the template compares. The result says yes or no for each, never the claim. Kept encrypted, only while the verification is pending.
	Expected map[string]string `json:"expected,omitempty"`
	// A DCQL query (OpenID4VP 1.0) of at most 32768 characters as JSON.
	Query map[string]any `json:"query,omitempty"`
	// Where the result is posted. Must be a public address. Use https; http is accepted with a warning.
	WebhookURL string `json:"webhook_url,omitempty"`
	// Where the holder is sent after responding, with a one-time code to redeem in the fragment. Must not have a fragment itself. An app has a scheme with its domain name, such as `com.shop.app:/return`.
	RedirectURL string `json:"redirect_url,omitempty"`
	// How long a wallet can respond, in seconds.
	TTLSeconds *int `json:"ttl_seconds,omitempty"`
	// How many responses may fail before the verification does. By default what your policies say, at first 1.
	MaxAttempts *int `json:"max_attempts,omitempty"`
	// Where a holder without a wallet can proceed. The page offers it as another way to verify.
	AlternativeURL string `json:"alternative_url,omitempty"`
	// At most 50 members. Names and values together have at most 8192 bytes as UTF-8.
	Metadata map[string]string `json:"metadata,omitempty"`
	// The reason, as the holder is told.
	Purpose string `json:"purpose,omitempty"`
}

// ComparePhoto is what is sent.
type ComparePhoto struct {
	// Whether the photo shows the person who is present.
	SamePerson bool `json:"same_person"`
}

// RedeemResponseCode is what is sent.
type RedeemResponseCode struct {
	// From the fragment of the redirect, `#response_code=…`. Works once.
	ResponseCode string `json:"response_code"`
}

// RegisterDevice is what is sent.
type RegisterDevice struct {
	// How you recognise the device.
	Name string `json:"name"`
	// The keys of the templates that it may use. Each must exist.
	AllowedTemplates []string `json:"allowed_templates"`
	// How long the pairing code works, in seconds.
	PairingTTLSeconds *int `json:"pairing_ttl_seconds,omitempty"`
}

// ChangeDevice is what is sent.
type ChangeDevice struct {
	// How you recognise the device.
	Name string `json:"name,omitempty"`
	// The keys of the templates that it may use. Each must exist.
	AllowedTemplates []string `json:"allowed_templates,omitempty"`
	// What protects the end of a shift and the settings of the till. `null` removes it. It is never shown.
	Pin *Nullable[string] `json:"pin,omitempty"`
	// Whether the screen stays on between checks.
	KeepAwake *bool `json:"keep_awake,omitempty"`
	// Why the till asks, as its customers read it. `null` removes it.
	Purpose *Nullable[string] `json:"purpose,omitempty"`
}

// RenewPairingCode is what is sent.
type RenewPairingCode struct {
	// How long the pairing code works, in seconds.
	PairingTTLSeconds *int `json:"pairing_ttl_seconds,omitempty"`
}

// CreateWebhookEndpoint is what is sent.
type CreateWebhookEndpoint struct {
	// Where to send events. http or https, on a public address, without user name or password.
	URL string `json:"url"`
	// The events that it gets.
	Events []string `json:"events"`
	// A note for yourself.
	Description *string `json:"description,omitempty"`
	// Whether to send events to it from now on.
	Enabled *bool `json:"enabled,omitempty"`
}

// ChangeWebhookEndpoint is what is sent.
type ChangeWebhookEndpoint struct {
	// Where to send events from now on, also those that are being retried.
	URL string `json:"url,omitempty"`
	// The events that it gets from now on.
	Events []string `json:"events,omitempty"`
	// A note for yourself.
	Description *string `json:"description,omitempty"`
	// False stops everything that is sent to it. True starts again, whyever it was disabled.
	Enabled *bool `json:"enabled,omitempty"`
}

// CreateVerificationOptions are the options of createVerification; all can be left out.
type CreateVerificationOptions struct {
	// Whether a `query` that violates DCQL is 400 instead of 201 with a warning. By default what your policies say, at first `false`.
	Strict *bool
	// 1-255 printable ASCII characters without spaces. The same key and body within 24 hours return the first response again.
	IdempotencyKey string
}

// ListVerificationsOptions are the options of listVerifications; all can be left out.
type ListVerificationsOptions struct {
	// The maximum number of verifications.
	Limit int
	// Only verifications created before this time: the last `created_at` of the previous page.
	Before string
	// Only verifications with this status now.
	Status string
	// Only verifications that were created with this template.
	Template string
	// Only verifications created after this time.
	CreatedAfter string
	// Only verifications created before this time. Unlike `before`, it stays the same for every page.
	CreatedBefore string
	// Only verifications with these names and values in their metadata, whenever they were created: `metadata[order]=A-1001`. Names and values match exactly, and all of them must.
	Metadata map[string]string
}

// ApplyConfigOptions are the options of applyConfig; all can be left out.
type ApplyConfigOptions struct {
	// Plans and checks, and changes nothing.
	DryRun *bool
	// Deletes what the parts of the document do not name.
	Prune *bool
	// The `ETag` of the configuration that you expect. If it has changed, nothing is applied.
	IfMatch string
}

// VerificationsResource: requests verifications and reads their results.
type VerificationsResource struct{ client *Client }

// Create calls createVerification: create a verification.
func (r *VerificationsResource) Create(ctx context.Context, body CreateVerification, options *CreateVerificationOptions) (*Verification, error) {
	if options == nil {
		options = &CreateVerificationOptions{}
	}
	query := url.Values{}
	addQuery(query, "strict", options.Strict)
	header := http.Header{}
	addHeader(header, "Idempotency-Key", keyOr(options.IdempotencyKey))
	return send[Verification](ctx, r.client, request{method: http.MethodPost, path: "/v1/verifications", repeatable: true, body: body, query: query, header: header})
}

// Retrieve calls getVerification: get a verification.
func (r *VerificationsResource) Retrieve(ctx context.Context, id string) (*Verification, error) {
	return send[Verification](ctx, r.client, request{method: http.MethodGet, path: "/v1/verifications/{id}", params: []string{id}, repeatable: true})
}

// List calls listVerifications: list verifications, newest first.
func (r *VerificationsResource) List(ctx context.Context, options *ListVerificationsOptions) (*VerificationList, error) {
	if options == nil {
		options = &ListVerificationsOptions{}
	}
	query := url.Values{}
	addQuery(query, "limit", options.Limit)
	addQuery(query, "before", options.Before)
	addQuery(query, "status", options.Status)
	addQuery(query, "template", options.Template)
	addQuery(query, "created_after", options.CreatedAfter)
	addQuery(query, "created_before", options.CreatedBefore)
	addQuery(query, "metadata", options.Metadata)
	return send[VerificationList](ctx, r.client, request{method: http.MethodGet, path: "/v1/verifications", repeatable: true, query: query})
}

// ListAll iterates over all pages, newest first. What is created in the meantime causes no gaps or duplicates.
func (r *VerificationsResource) ListAll(ctx context.Context, options *ListVerificationsOptions) *VerificationIterator {
	return newVerificationIterator(ctx, r, options)
}

// Cancel calls cancelVerification: cancel a verification that no wallet has responded to.
func (r *VerificationsResource) Cancel(ctx context.Context, id string) (*Verification, error) {
	return send[Verification](ctx, r.client, request{method: http.MethodPost, path: "/v1/verifications/{id}/cancel", params: []string{id}, repeatable: true})
}

// Compare calls comparePhoto: record whether the photo of a completed verification shows the person who is present.
func (r *VerificationsResource) Compare(ctx context.Context, id string, body ComparePhoto) (*PhotoComparison, error) {
	return send[PhotoComparison](ctx, r.client, request{method: http.MethodPost, path: "/v1/verifications/{id}/comparison", params: []string{id}, repeatable: true, body: body})
}

// Redeem calls redeemResponseCode: redeem a response code (works once).
func (r *VerificationsResource) Redeem(ctx context.Context, id string, body RedeemResponseCode) (*Verification, error) {
	return send[Verification](ctx, r.client, request{method: http.MethodPost, path: "/v1/verifications/{id}/redeem", params: []string{id}, body: body})
}

// Delete calls eraseVerification: permanently erase a verification and everything derived from it.
func (r *VerificationsResource) Delete(ctx context.Context, id string) (*Erasure, error) {
	return send[Erasure](ctx, r.client, request{method: http.MethodDelete, path: "/v1/verifications/{id}", params: []string{id}, repeatable: true})
}

// Status calls getVerificationStatus: get the status (no key needed).
func (r *VerificationsResource) Status(ctx context.Context, id string) (*VerificationStatus, error) {
	return send[VerificationStatus](ctx, r.client, request{method: http.MethodGet, path: "/v1/verifications/{id}/status", params: []string{id}, repeatable: true, public: true})
}

// TemplatesResource: what a verification can ask for.
type TemplatesResource struct{ client *Client }

// List calls listTemplates: list the templates that this key can use.
func (r *TemplatesResource) List(ctx context.Context) (*UsableTemplateList, error) {
	return send[UsableTemplateList](ctx, r.client, request{method: http.MethodGet, path: "/v1/templates", repeatable: true})
}

// DevicesResource: tills and tablets that create verifications with their own tokens.
type DevicesResource struct{ client *Client }

// Create calls registerDevice: register a device and get a pairing code.
func (r *DevicesResource) Create(ctx context.Context, body RegisterDevice) (*RegisteredDevice, error) {
	return send[RegisteredDevice](ctx, r.client, request{method: http.MethodPost, path: "/v1/devices", body: body})
}

// List calls listDevices: list devices, newest first.
func (r *DevicesResource) List(ctx context.Context) (*DeviceList, error) {
	return send[DeviceList](ctx, r.client, request{method: http.MethodGet, path: "/v1/devices", repeatable: true})
}

// Update calls changeDevice: rename a device or change its templates.
func (r *DevicesResource) Update(ctx context.Context, id string, body ChangeDevice) (*Device, error) {
	return send[Device](ctx, r.client, request{method: http.MethodPatch, path: "/v1/devices/{id}", params: []string{id}, repeatable: true, body: body})
}

// RenewPairingCode calls renewPairingCode: create a new pairing code for a device that must be paired again.
func (r *DevicesResource) RenewPairingCode(ctx context.Context, id string, body RenewPairingCode) (*RegisteredDevice, error) {
	return send[RegisteredDevice](ctx, r.client, request{method: http.MethodPost, path: "/v1/devices/{id}/pairing-code", params: []string{id}, repeatable: true, body: body})
}

// Revoke calls revokeDevice: revoke a device and all of its tokens.
func (r *DevicesResource) Revoke(ctx context.Context, id string) (*Device, error) {
	return send[Device](ctx, r.client, request{method: http.MethodDelete, path: "/v1/devices/{id}", params: []string{id}, repeatable: true})
}

// ConfigResource: the whole configuration as one document.
type ConfigResource struct{ client *Client }

// Export calls getConfig: export the configuration.
func (r *ConfigResource) Export(ctx context.Context) (map[string]any, error) {
	var result map[string]any
	err := r.client.send(ctx, request{method: http.MethodGet, path: "/v1/config", repeatable: true}, &result)
	return result, err
}

// Apply calls applyConfig: apply a configuration.
func (r *ConfigResource) Apply(ctx context.Context, document any, options *ApplyConfigOptions) (*AppliedConfig, error) {
	if options == nil {
		options = &ApplyConfigOptions{}
	}
	query := url.Values{}
	addQuery(query, "dry_run", options.DryRun)
	addQuery(query, "prune", options.Prune)
	header := http.Header{}
	addHeader(header, "If-Match", options.IfMatch)
	return send[AppliedConfig](ctx, r.client, request{method: http.MethodPut, path: "/v1/config", repeatable: isTrue(options.DryRun), body: document, query: query, header: header})
}

// WebhookEndpointsResource: receivers for the events of all verifications.
type WebhookEndpointsResource struct{ client *Client }

// Create calls createWebhookEndpoint: create a webhook endpoint.
func (r *WebhookEndpointsResource) Create(ctx context.Context, body CreateWebhookEndpoint) (*WebhookEndpointSecret, error) {
	return send[WebhookEndpointSecret](ctx, r.client, request{method: http.MethodPost, path: "/v1/webhook_endpoints", body: body})
}

// List calls listWebhookEndpoints: list webhook endpoints, newest first.
func (r *WebhookEndpointsResource) List(ctx context.Context) (*WebhookEndpointList, error) {
	return send[WebhookEndpointList](ctx, r.client, request{method: http.MethodGet, path: "/v1/webhook_endpoints", repeatable: true})
}

// Retrieve calls getWebhookEndpoint: get a webhook endpoint.
func (r *WebhookEndpointsResource) Retrieve(ctx context.Context, id string) (*WebhookEndpoint, error) {
	return send[WebhookEndpoint](ctx, r.client, request{method: http.MethodGet, path: "/v1/webhook_endpoints/{id}", params: []string{id}, repeatable: true})
}

// Update calls changeWebhookEndpoint: change, disable or enable a webhook endpoint.
func (r *WebhookEndpointsResource) Update(ctx context.Context, id string, body ChangeWebhookEndpoint) (*WebhookEndpoint, error) {
	return send[WebhookEndpoint](ctx, r.client, request{method: http.MethodPatch, path: "/v1/webhook_endpoints/{id}", params: []string{id}, repeatable: true, body: body})
}

// Delete calls deleteWebhookEndpoint: delete a webhook endpoint; what is waiting for it is not sent.
func (r *WebhookEndpointsResource) Delete(ctx context.Context, id string) (*WebhookEndpoint, error) {
	return send[WebhookEndpoint](ctx, r.client, request{method: http.MethodDelete, path: "/v1/webhook_endpoints/{id}", params: []string{id}})
}

// RotateSecret calls rotateWebhookEndpointSecret: give a webhook endpoint a new secret; both secrets sign for 24 hours.
func (r *WebhookEndpointsResource) RotateSecret(ctx context.Context, id string) (*WebhookEndpointSecret, error) {
	return send[WebhookEndpointSecret](ctx, r.client, request{method: http.MethodPost, path: "/v1/webhook_endpoints/{id}/rotate_secret", params: []string{id}})
}

// UsageResource: the daily quota and usage.
type UsageResource struct{ client *Client }

// Retrieve calls getUsage: get the daily usage.
func (r *UsageResource) Retrieve(ctx context.Context) (*Usage, error) {
	return send[Usage](ctx, r.client, request{method: http.MethodGet, path: "/v1/usage", repeatable: true})
}

// operations is what Client.Call can do, by the name of the operation in the API reference.
var operations = indexByName([]operation{
	{"getTemplate", "GET", "/v1/templates/{key}", true, ""},
	{"putTemplate", "PUT", "/v1/templates/{key}", true, ""},
	{"deleteTemplate", "DELETE", "/v1/templates/{key}", false, ""},
	{"lintTemplate", "POST", "/v1/templates/lint", false, ""},
	{"tryTemplate", "POST", "/v1/templates/try", false, ""},
	{"assignRegistration", "PUT", "/v1/templates/{key}/registration", true, ""},
	{"getSettings", "GET", "/v1/settings", true, ""},
	{"changeBrand", "PUT", "/v1/settings/brand", true, ""},
	{"changePolicies", "PATCH", "/v1/settings/policies", true, ""},
	{"changeHolderPage", "PATCH", "/v1/settings/holder_page", true, ""},
	{"changeRequestLog", "PUT", "/v1/settings/request_log", true, ""},
	{"changeTrustPolicy", "PUT", "/v1/settings/trust_policy", true, ""},
	{"changeIdentity", "PUT", "/v1/settings/identity", true, ""},
	{"changeEcosystemIdentity", "PUT", "/v1/settings/identities/{ecosystem}", true, ""},
	{"listServiceAnchors", "GET", "/v1/trust_anchors", true, ""},
	{"addAnchors", "POST", "/v1/trust_anchors", false, ""},
	{"removeAnchor", "DELETE", "/v1/trust_anchors/{fingerprint}", false, ""},
	{"listRegistrations", "GET", "/v1/registrations", true, ""},
	{"addRegistration", "POST", "/v1/registrations", false, ""},
	{"getRegistration", "GET", "/v1/registrations/{id}", true, ""},
	{"changeRegistration", "PATCH", "/v1/registrations/{id}", true, ""},
	{"removeRegistration", "DELETE", "/v1/registrations/{id}", false, ""},
	{"checkRegistration", "POST", "/v1/registrations/{id}/check", false, ""},
	{"changeRegistrationSettings", "PATCH", "/v1/registrations/settings", true, ""},
	{"listOpenIdClients", "GET", "/v1/openid_clients", true, ""},
	{"createOpenIdClient", "POST", "/v1/openid_clients", false, ""},
	{"changeOpenIdClient", "PATCH", "/v1/openid_clients/{id}", true, ""},
	{"deleteOpenIdClient", "DELETE", "/v1/openid_clients/{id}", false, ""},
	{"rollOpenIdClientSecret", "POST", "/v1/openid_clients/{id}/roll_secret", false, ""},
	{"listLinks", "GET", "/v1/verification_links", true, ""},
	{"createLink", "POST", "/v1/verification_links", false, ""},
	{"getLink", "GET", "/v1/verification_links/{id}", true, ""},
	{"changeLink", "PATCH", "/v1/verification_links/{id}", true, ""},
	{"deleteLink", "DELETE", "/v1/verification_links/{id}", false, ""},
	{"listSealingKeys", "GET", "/v1/sealing_keys", true, ""},
	{"registerSealingKey", "POST", "/v1/sealing_keys", false, ""},
	{"activateSealingKey", "POST", "/v1/sealing_keys/{kid}/activate", false, ""},
	{"retireSealingKey", "DELETE", "/v1/sealing_keys/{kid}", false, ""},
	{"listErasureRequests", "GET", "/v1/erasure_requests", true, ""},
	{"refuseErasureRequest", "POST", "/v1/erasure_requests/{id}/refuse", false, ""},
	{"getReceipt", "GET", "/v1/verifications/{id}/receipt", true, ""},
	{"listReceipts", "GET", "/v1/receipts", true, ""},
	{"getReport", "GET", "/v1/report", true, ""},
	{"listKeys", "GET", "/v1/api_keys", true, ""},
	{"createKey", "POST", "/v1/api_keys", false, ""},
	{"revokeKey", "DELETE", "/v1/api_keys/{id}", false, ""},
	{"listTeam", "GET", "/v1/members", true, ""},
	{"getAlertWebhook", "GET", "/v1/settings/alert_webhook", true, ""},
	{"setAlertWebhook", "PUT", "/v1/settings/alert_webhook", false, ""},
	{"removeAlertWebhook", "DELETE", "/v1/settings/alert_webhook", false, ""},
	{"listDeliveries", "GET", "/v1/deliveries", true, ""},
	{"resendWebhook", "POST", "/v1/deliveries/{id}/resend", false, ""},
	{"resendFailed", "POST", "/v1/deliveries/resend", false, ""},
	{"getResend", "GET", "/v1/deliveries/resend", true, ""},
	{"listRequests", "GET", "/v1/requests", true, ""},
	{"listAudit", "GET", "/v1/audit", true, ""},
	{"exportAudit", "GET", "/v1/audit/export", true, "application/jsonl"},
	{"getAuditKey", "GET", "/v1/audit/public_key", true, ""},
})
