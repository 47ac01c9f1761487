<?php

// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.

declare(strict_types=1);

namespace Vidimus\Model;

final readonly class Alert
{
    public function __construct(
        /** The id of the alert. */
        public string $id,
        /** What happened. */
        public string $kind,
        /** The environment. Absent if the alert concerns the whole tenant. */
        public ?string $environment,
        /** What it is about, by kind: the id of the endpoint or device, the day of the quota, the fingerprint of the certificate, the id of the registration, the URL of the trust list, or an id of the change. */
        public string $subject,
        /** @var array<string, mixed> More about it. The members depend on the kind; ignore those that you do not know. */
        public array $details,
        /** When it was raised. */
        public string $raised_at,
        /** When its cause was gone. Absent while it is open. */
        public ?string $resolved_at,
    ) {
    }

    /** @param array<string, mixed> $json */
    public static function from(array $json): self
    {
        return new self(
            id: $json['id'] ?? '',
            kind: $json['kind'] ?? '',
            environment: $json['environment'] ?? null,
            subject: $json['subject'] ?? '',
            details: $json['details'] ?? [],
            raised_at: $json['raised_at'] ?? '',
            resolved_at: $json['resolved_at'] ?? null,
        );
    }
}
