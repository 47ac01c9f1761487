<?php

// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.

declare(strict_types=1);

namespace Vidimus\Model;

/** The number of deleted rows of each kind. */
final readonly class ErasureDeleted
{
    public function __construct(
        /** Deleted verifications: 1. */
        public int $verification_sessions,
        /** Deleted results: 1 if a wallet had responded. */
        public int $verification_results,
        /** Deleted entries of the webhook log. */
        public int $webhook_deliveries,
    ) {
    }

    /** @param array<string, mixed> $json */
    public static function from(array $json): self
    {
        return new self(
            verification_sessions: $json['verification_sessions'] ?? 0,
            verification_results: $json['verification_results'] ?? 0,
            webhook_deliveries: $json['webhook_deliveries'] ?? 0,
        );
    }
}
