<?php

// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.

declare(strict_types=1);

namespace Vidimus\Model;

final readonly class Verification
{
    public function __construct(
        /** The id of the verification. Whoever knows it can poll the status. */
        public string $id,
        /** `pending` until a wallet responds. `completed`: every check passed. `failed`: see `error`. `expired`: nobody responded in time. */
        public string $status,
        /** The template, if the verification was created with one. */
        public ?string $template,
        /** Show it as a QR code or a link. Present only while pending. */
        public ?string $wallet_uri,
        /** Where the wallet fetches the signed request. Present only while pending. */
        public ?string $request_uri,
        /** @var array<string, mixed> The verified claims of all credentials, merged. Present only if completed. */
        public ?array $claims,
        /** @var list<CredentialResult> The presented credentials with their checks. Present once a wallet has responded. */
        public ?array $credentials,
        /** Why the verification failed. Present only if failed. */
        public ?VerificationError $error,
        /** @var array<string, string> What you gave at creation. */
        public ?array $metadata,
        /** The reason, as the holder is told. */
        public ?string $purpose,
        /** Where the holder is sent afterwards. */
        public ?string $redirect_url,
        /** When it was created. */
        public string $created_at,
        /** Until when a wallet can respond. */
        public string $expires_at,
        /** When a wallet responded. Absent while nobody has. */
        public ?string $responded_at,
        /** The address of the holder's page, if the service named it. */
        public ?string $page_url,
    ) {
    }

    /** @param array<string, mixed> $json */
    public static function from(array $json): self
    {
        return new self(
            id: $json['id'] ?? '',
            status: $json['status'] ?? '',
            template: $json['template'] ?? null,
            wallet_uri: $json['wallet_uri'] ?? null,
            request_uri: $json['request_uri'] ?? null,
            claims: $json['claims'] ?? null,
            credentials: isset($json['credentials']) ? array_map(CredentialResult::from(...), $json['credentials']) : null,
            error: isset($json['error']) ? VerificationError::from($json['error']) : null,
            metadata: $json['metadata'] ?? null,
            purpose: $json['purpose'] ?? null,
            redirect_url: $json['redirect_url'] ?? null,
            created_at: $json['created_at'] ?? '',
            expires_at: $json['expires_at'] ?? '',
            responded_at: $json['responded_at'] ?? null,
            page_url: $json['page_url'] ?? null,
        );
    }
}
