<?php

// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.

declare(strict_types=1);

namespace Vidimus\Model;

final readonly class UsageRecent
{
    public function __construct(
        /** A day in UTC. */
        public string $day,
        /** Verifications created on that day. */
        public int $verifications_created,
    ) {
    }

    /** @param array<string, mixed> $json */
    public static function from(array $json): self
    {
        return new self(
            day: $json['day'] ?? '',
            verifications_created: $json['verifications_created'] ?? 0,
        );
    }
}
