<?php

// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.

declare(strict_types=1);

namespace Vidimus\Model;

final readonly class WebhookEndpointSecret
{
    public function __construct(
        /**  */
        public WebhookEndpoint $endpoint,
        /** Starts with `whsec_`. Shown only once. */
        public string $secret,
    ) {
    }

    /** @param array<string, mixed> $json */
    public static function from(array $json): self
    {
        return new self(
            endpoint: WebhookEndpoint::from($json['endpoint'] ?? []),
            secret: $json['secret'] ?? '',
        );
    }
}
