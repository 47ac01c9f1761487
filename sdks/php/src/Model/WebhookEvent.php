<?php

// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.

declare(strict_types=1);

namespace Vidimus\Model;

/** An event that the service signed. One of a type that this version does not know has `raw`: acknowledge and ignore it. */
final readonly class WebhookEvent
{
    public function __construct(
        /** What happened, such as `verification.completed` or `alert.raised`. `webhook.test` comes from the dashboard: take no action. */
        public string $type,
        /** The verification, in events about one. */
        public ?Verification $verification,
        /** When it was sent. */
        public ?string $sent_at,
        /** What is or was erased. */
        public ?WebhookEventErasure $erasure,
        /** The alert, in events about one. */
        public ?Alert $alert,
        /** The environment of a test event. */
        public ?string $environment,
        /** @var array<string, mixed> The event as it was sent, with the members that this version does not know. */
        public ?array $raw,
    ) {
    }

    /** @param array<string, mixed> $json */
    public static function from(array $json): self
    {
        return new self(
            type: $json['type'] ?? '',
            verification: isset($json['verification']) ? Verification::from($json['verification']) : null,
            sent_at: $json['sent_at'] ?? null,
            erasure: isset($json['erasure']) ? WebhookEventErasure::from($json['erasure']) : null,
            alert: isset($json['alert']) ? Alert::from($json['alert']) : null,
            environment: $json['environment'] ?? null,
            raw: $json['raw'] ?? null,
        );
    }
}
