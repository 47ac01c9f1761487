<?php

// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.

declare(strict_types=1);

namespace Vidimus\Model;

final readonly class WebhookEndpoint
{
    public function __construct(
        /** The id of the endpoint. */
        public string $id,
        /** Where events are sent. */
        public string $url,
        /** The environment of the key that created it. */
        public string $environment,
        /** @var list<string> The events that it gets. */
        public array $events,
        /** Your note, or an empty text. */
        public string $description,
        /** Whether events are sent to it. */
        public bool $enabled,
        /** Why it is disabled: you asked for it, or every attempt of five days failed. */
        public ?string $disabled_reason,
        /** When it was disabled. */
        public ?string $disabled_at,
        /** The first failed attempt since the last that succeeded. Absent while it works. */
        public ?string $failing_since,
        /** When its signing secret was created. */
        public string $secret_created_at,
        /** Until then the previous secret signs too. */
        public ?string $previous_secret_retires_at,
        /** When it was created. */
        public string $created_at,
    ) {
    }

    /** @param array<string, mixed> $json */
    public static function from(array $json): self
    {
        return new self(
            id: $json['id'] ?? '',
            url: $json['url'] ?? '',
            environment: $json['environment'] ?? '',
            events: $json['events'] ?? [],
            description: $json['description'] ?? '',
            enabled: $json['enabled'] ?? false,
            disabled_reason: $json['disabled_reason'] ?? null,
            disabled_at: $json['disabled_at'] ?? null,
            failing_since: $json['failing_since'] ?? null,
            secret_created_at: $json['secret_created_at'] ?? '',
            previous_secret_retires_at: $json['previous_secret_retires_at'] ?? null,
            created_at: $json['created_at'] ?? '',
        );
    }
}
