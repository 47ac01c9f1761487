<?php

// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.

declare(strict_types=1);

namespace Vidimus\Model;

final readonly class Usage
{
    public function __construct(
        /** Today in UTC. */
        public string $day,
        /** Verifications created today. */
        public int $verifications_created,
        /** How many can be created per day. */
        public int $daily_quota,
        /** How many can still be created today. */
        public int $remaining,
        /** @var list<UsageRecent> The last days on which any were created, newest first. */
        public array $recent,
    ) {
    }

    /** @param array<string, mixed> $json */
    public static function from(array $json): self
    {
        return new self(
            day: $json['day'] ?? '',
            verifications_created: $json['verifications_created'] ?? 0,
            daily_quota: $json['daily_quota'] ?? 0,
            remaining: $json['remaining'] ?? 0,
            recent: array_map(UsageRecent::from(...), $json['recent'] ?? []),
        );
    }
}
