<?php

// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.

declare(strict_types=1);

namespace Vidimus\Model;

/** What is or was erased. */
final readonly class WebhookEventErasure
{
    public function __construct(
        /** The verification. */
        public string $verification_id,
        /** Its environment. */
        public string $environment,
        /** When its holder asked. */
        public string $requested_at,
        /** Until when you answer. Only of a request. */
        public ?string $due_at,
        /** When it was erased. Only once it is. */
        public ?string $executed_at,
    ) {
    }

    /** @param array<string, mixed> $json */
    public static function from(array $json): self
    {
        return new self(
            verification_id: $json['verification_id'] ?? '',
            environment: $json['environment'] ?? '',
            requested_at: $json['requested_at'] ?? '',
            due_at: $json['due_at'] ?? null,
            executed_at: $json['executed_at'] ?? null,
        );
    }
}
