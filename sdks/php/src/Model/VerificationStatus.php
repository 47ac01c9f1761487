<?php

// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.

declare(strict_types=1);

namespace Vidimus\Model;

final readonly class VerificationStatus
{
    public function __construct(
        /** The id of the verification. Whoever knows it can poll the status. */
        public string $id,
        /** `pending` until a wallet responds. `completed`: every check passed. `failed`: see `error`. `expired`: nobody responded in time. */
        public string $status,
    ) {
    }

    /** @param array<string, mixed> $json */
    public static function from(array $json): self
    {
        return new self(
            id: $json['id'] ?? '',
            status: $json['status'] ?? '',
        );
    }
}
