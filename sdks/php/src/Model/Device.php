<?php

// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.

declare(strict_types=1);

namespace Vidimus\Model;

final readonly class Device
{
    public function __construct(
        /** The id of the device. */
        public string $id,
        /** The name that you gave it. */
        public string $name,
        /** `pending` until it is paired, then `active`. A new pairing code makes it `pending` again. A `revoked` device never becomes active again. */
        public string $status,
        /** @var list<string> The templates that it may use. */
        public array $allowed_templates,
        /** When it was registered. */
        public string $created_at,
        /** Until when the pairing code works. Present only while pending. */
        public ?string $pairing_expires_at,
        /** When it was paired. */
        public ?string $enrolled_at,
        /** When it last sent a request, to within a minute. */
        public ?string $last_seen_at,
        /** When it was revoked. */
        public ?string $revoked_at,
    ) {
    }

    /** @param array<string, mixed> $json */
    public static function from(array $json): self
    {
        return new self(
            id: $json['id'] ?? '',
            name: $json['name'] ?? '',
            status: $json['status'] ?? '',
            allowed_templates: $json['allowed_templates'] ?? [],
            created_at: $json['created_at'] ?? '',
            pairing_expires_at: $json['pairing_expires_at'] ?? null,
            enrolled_at: $json['enrolled_at'] ?? null,
            last_seen_at: $json['last_seen_at'] ?? null,
            revoked_at: $json['revoked_at'] ?? null,
        );
    }
}
