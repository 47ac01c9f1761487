// Code generated from the contract by sdks/generate. DO NOT EDIT. A test compares; change the contract, then run the build.

package vidimus

// Verification is a part of what the service returns.
type Verification struct {
	// The id of the verification. Whoever knows it can poll the status.
	ID string `json:"id"`
	// `pending` until a wallet responds. `completed`: every check passed. `failed`: see `error`. `expired`: nobody responded in time.
	Status string `json:"status"`
	// The template, if the verification was created with one.
	Template string `json:"template,omitempty"`
	// Show it as a QR code or a link. Present only while pending.
	WalletURI string `json:"wallet_uri,omitempty"`
	// Where the wallet fetches the signed request. Present only while pending.
	RequestURI string `json:"request_uri,omitempty"`
	// The verified claims of all credentials, merged. Present only if completed.
	Claims map[string]any `json:"claims,omitempty"`
	// The presented credentials with their checks. Present once a wallet has responded.
	Credentials []CredentialResult `json:"credentials,omitempty"`
	// Why the verification failed. Present only if failed.
	Error *VerificationError `json:"error,omitempty"`
	// What you gave at creation.
	Metadata map[string]string `json:"metadata,omitempty"`
	// The reason, as the holder is told.
	Purpose string `json:"purpose,omitempty"`
	// Where the holder is sent afterwards.
	RedirectURL string `json:"redirect_url,omitempty"`
	// When it was created.
	CreatedAt string `json:"created_at"`
	// Until when a wallet can respond.
	ExpiresAt string `json:"expires_at"`
	// When a wallet responded. Absent while nobody has.
	RespondedAt string `json:"responded_at,omitempty"`
	// The address of the holder's page, if the service named it.
	PageURL string `json:"page_url,omitempty"`
}

// CredentialResult is a part of what the service returns.
type CredentialResult struct {
	// The credential format: ISO 18013-5 mdoc or SD-JWT VC.
	Format string `json:"format"`
	// The document type of an mdoc, or the `vct` of an SD-JWT VC.
	DoctypeOrVct string `json:"doctype_or_vct"`
	// The verified claims of this credential.
	Claims map[string]any `json:"claims"`
	// Who signed the credential.
	Issuer CredentialResultIssuer `json:"issuer"`
	// Whether the issuer is on a trusted list.
	Trusted bool `json:"trusted"`
	// Whether the issuer's signature is valid.
	SignatureValid bool `json:"signature_valid"`
	// Whether the wallet proved, for this request, that it holds the key of the credential.
	HolderBindingValid bool `json:"holder_binding_valid"`
	// The checks that did not pass.
	Findings []Finding `json:"findings"`
}

// CredentialResultIssuer: who signed the credential.
type CredentialResultIssuer struct {
	// The common name in the certificate that signed the credential.
	CommonName string `json:"common_name,omitempty"`
	// The country in that certificate, as two letters.
	Country string `json:"country,omitempty"`
}

// Finding is a part of what the service returns.
type Finding struct {
	// The name of the check. Names are stable and listed in the error reference.
	Check string `json:"check"`
	// `fail`: the verification failed because of this check. `warning`: it did not.
	Status string `json:"status"`
	// An explanation for people. The wording may change.
	Detail string `json:"detail,omitempty"`
}

// VerificationError: why the verification failed. Present only if failed.
type VerificationError struct {
	// Stable. Listed in the error reference.
	Code string `json:"code"`
	// For people. The wording may change.
	Message string `json:"message"`
}

// VerificationList is a part of what the service returns.
type VerificationList struct {
	// Newest first. For the next page, give the last `created_at` as `before`.
	Data []Verification `json:"data"`
	// Only with a filter: give it as `before` for the next page. A filtered page can have fewer verifications than `limit`, even none, and more can follow. Absent on the last page.
	NextBefore string `json:"next_before,omitempty"`
}

// PhotoComparison is a part of what the service returns.
type PhotoComparison struct {
	// The id of the verification.
	ID string `json:"id"`
	// What was decided first. It stays.
	SamePerson bool `json:"same_person"`
}

// Erasure is a part of what the service returns.
type Erasure struct {
	// The id of the erased verification.
	ID string `json:"id"`
	// The number of deleted rows of each kind.
	Deleted ErasureDeleted `json:"deleted"`
	// When it was erased.
	ErasedAt string `json:"erased_at"`
}

// ErasureDeleted: the number of deleted rows of each kind.
type ErasureDeleted struct {
	// Deleted verifications: 1.
	VerificationSessions int `json:"verification_sessions"`
	// Deleted results: 1 if a wallet had responded.
	VerificationResults int `json:"verification_results"`
	// Deleted entries of the webhook log.
	WebhookDeliveries int `json:"webhook_deliveries"`
}

// VerificationStatus is a part of what the service returns.
type VerificationStatus struct {
	// The id of the verification. Whoever knows it can poll the status.
	ID string `json:"id"`
	// `pending` until a wallet responds. `completed`: every check passed. `failed`: see `error`. `expired`: nobody responded in time.
	Status string `json:"status"`
}

// UsableTemplateList is a part of what the service returns.
type UsableTemplateList struct {
	// Ordered by key, the built-in ones first.
	Data []UsableTemplate `json:"data"`
}

// UsableTemplate is a part of what the service returns.
type UsableTemplate struct {
	// What you give as `template` when you create a verification.
	Key string `json:"key"`
	// A short name for people.
	Name string `json:"name"`
	// What it asks and how.
	Description string `json:"description"`
	// Changes whenever the template changes. A verification keeps the version it was created with.
	Version string `json:"version"`
	// Whether the template is part of the service. Otherwise it is your own.
	BuiltIn bool `json:"built_in"`
	// The names of the claims that a completed verification can contain. `{age}` in a name stands for a parameter.
	Claims []string `json:"claims"`
	// What you can give as `parameters` when you create a verification. Absent if there is nothing to give.
	Parameters map[string]TemplateParameter `json:"parameters,omitempty"`
	// The claims that it compares: what you have to give as `expected`. Absent if there are none.
	Expected []string `json:"expected,omitempty"`
	// When you last changed it. Absent if built in.
	UpdatedAt string `json:"updated_at,omitempty"`
}

// TemplateParameter is a part of what the service returns.
type TemplateParameter struct {
	// What its value is.
	Type string `json:"type"`
	// The lowest integer.
	Min *int `json:"min,omitempty"`
	// The highest integer.
	Max *int `json:"max,omitempty"`
	// The strings that it accepts.
	Enum []string `json:"enum,omitempty"`
	// Used if you give none. Absent if you have to.
	Default any `json:"default,omitempty"`
}

// RegisteredDevice is a part of what the service returns.
type RegisteredDevice struct {
	Device Device `json:"device"`
	// `VD-XXXX-XXXX`. Shown only once.
	PairingCode string `json:"pairing_code"`
}

// Device is a part of what the service returns.
type Device struct {
	// The id of the device.
	ID string `json:"id"`
	// The name that you gave it.
	Name string `json:"name"`
	// `pending` until it is paired, then `active`. A new pairing code makes it `pending` again. A `revoked` device never becomes active again.
	Status string `json:"status"`
	// The templates that it may use.
	AllowedTemplates []string `json:"allowed_templates"`
	// When it was registered.
	CreatedAt string `json:"created_at"`
	// Until when the pairing code works. Present only while pending.
	PairingExpiresAt string `json:"pairing_expires_at,omitempty"`
	// When it was paired.
	EnrolledAt string `json:"enrolled_at,omitempty"`
	// When it last sent a request, to within a minute.
	LastSeenAt string `json:"last_seen_at,omitempty"`
	// When it was revoked.
	RevokedAt string `json:"revoked_at,omitempty"`
}

// DeviceList is a part of what the service returns.
type DeviceList struct {
	// Newest first.
	Data []Device `json:"data"`
}

// AppliedConfig is a part of what the service returns.
type AppliedConfig struct {
	// Whether the configuration is now as sent. False after a dry run.
	Applied bool `json:"applied"`
	// What differs, in the order in which it is changed.
	Changes []ConfigChange `json:"changes"`
	// How many parts are as sent already.
	Unchanged int `json:"unchanged"`
	// How many are not in the document and stay, because `prune` was not given.
	Kept int `json:"kept"`
	// The secrets of what was created.
	Secrets []AppliedConfigSecret `json:"secrets"`
	// Why a change was not made. It and those after it are not applied; send the document again to complete it.
	Failure *AppliedConfigFailure `json:"failure,omitempty"`
}

// ConfigChange is a part of what the service returns.
type ConfigChange struct {
	// What happens to it.
	Action string `json:"action"`
	// What it is, in words.
	Resource string `json:"resource"`
	// Its part of the configuration before. Absent if new.
	Before any `json:"before,omitempty"`
	// Its part afterwards. Absent if deleted.
	After any `json:"after,omitempty"`
	// Whether this change was made.
	Applied bool `json:"applied"`
}

// AppliedConfigSecret is a part of what the service returns.
type AppliedConfigSecret struct {
	// What it is, in words.
	Resource string `json:"resource"`
	// Its id, if it has one.
	ID string `json:"id,omitempty"`
	// Shown only once.
	Secret string `json:"secret"`
}

// AppliedConfigFailure: why a change was not made. It and those after it are not applied; send the document again to complete it.
type AppliedConfigFailure struct {
	// What it is, in words.
	Resource string `json:"resource"`
	// The error code.
	Code string `json:"code"`
	// What went wrong.
	Message string `json:"message"`
}

// WebhookEndpointSecret is a part of what the service returns.
type WebhookEndpointSecret struct {
	Endpoint WebhookEndpoint `json:"endpoint"`
	// Starts with `whsec_`. Shown only once.
	Secret string `json:"secret"`
}

// WebhookEndpoint is a part of what the service returns.
type WebhookEndpoint struct {
	// The id of the endpoint.
	ID string `json:"id"`
	// Where events are sent.
	URL string `json:"url"`
	// The environment of the key that created it.
	Environment string `json:"environment"`
	// The events that it gets.
	Events []string `json:"events"`
	// Your note, or an empty text.
	Description string `json:"description"`
	// Whether events are sent to it.
	Enabled bool `json:"enabled"`
	// Why it is disabled: you asked for it, or every attempt of five days failed.
	DisabledReason string `json:"disabled_reason,omitempty"`
	// When it was disabled.
	DisabledAt string `json:"disabled_at,omitempty"`
	// The first failed attempt since the last that succeeded. Absent while it works.
	FailingSince string `json:"failing_since,omitempty"`
	// When its signing secret was created.
	SecretCreatedAt string `json:"secret_created_at"`
	// Until then the previous secret signs too.
	PreviousSecretRetiresAt string `json:"previous_secret_retires_at,omitempty"`
	// When it was created.
	CreatedAt string `json:"created_at"`
}

// WebhookEndpointList is a part of what the service returns.
type WebhookEndpointList struct {
	// Newest first, at most 16.
	Data []WebhookEndpoint `json:"data"`
}

// Usage is a part of what the service returns.
type Usage struct {
	// Today in UTC.
	Day string `json:"day"`
	// Verifications created today.
	VerificationsCreated int `json:"verifications_created"`
	// How many can be created per day.
	DailyQuota int `json:"daily_quota"`
	// How many can still be created today.
	Remaining int `json:"remaining"`
	// The last days on which any were created, newest first.
	Recent []UsageRecent `json:"recent"`
}

// UsageRecent is a part of what the service returns.
type UsageRecent struct {
	// A day in UTC.
	Day string `json:"day"`
	// Verifications created on that day.
	VerificationsCreated int `json:"verifications_created"`
}

// WebhookEventErasure: what is or was erased.
type WebhookEventErasure struct {
	// The verification.
	VerificationID string `json:"verification_id"`
	// Its environment.
	Environment string `json:"environment"`
	// When its holder asked.
	RequestedAt string `json:"requested_at"`
	// Until when you answer. Only of a request.
	DueAt string `json:"due_at,omitempty"`
	// When it was erased. Only once it is.
	ExecutedAt string `json:"executed_at,omitempty"`
}

// Alert is a part of what the service returns.
type Alert struct {
	// The id of the alert.
	ID string `json:"id"`
	// What happened.
	Kind string `json:"kind"`
	// The environment. Absent if the alert concerns the whole tenant.
	Environment string `json:"environment,omitempty"`
	// What it is about, by kind: the id of the endpoint or device, the day of the quota, the fingerprint of the certificate, the id of the registration, the URL of the trust list, or an id of the change.
	Subject string `json:"subject"`
	// More about it. The members depend on the kind; ignore those that you do not know.
	Details map[string]any `json:"details"`
	// When it was raised.
	RaisedAt string `json:"raised_at"`
	// When its cause was gone. Absent while it is open.
	ResolvedAt string `json:"resolved_at,omitempty"`
}

// WebhookEvent: an event that the service signed. One of a type that this version does not know has `raw`: acknowledge and ignore it.
type WebhookEvent struct {
	// What happened, such as `verification.completed` or `alert.raised`. `webhook.test` comes from the dashboard: take no action.
	Type string `json:"type"`
	// The verification, in events about one.
	Verification *Verification `json:"verification,omitempty"`
	// When it was sent.
	SentAt string `json:"sent_at,omitempty"`
	// What is or was erased.
	Erasure *WebhookEventErasure `json:"erasure,omitempty"`
	// The alert, in events about one.
	Alert *Alert `json:"alert,omitempty"`
	// The environment of a test event.
	Environment string `json:"environment,omitempty"`
	// The event as it was sent, with the members that this version does not know.
	Raw map[string]any `json:"-"`
}
