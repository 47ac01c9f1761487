<?php

// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.

declare(strict_types=1);

namespace Vidimus\Model;

/** Why the verification failed. Present only if failed. */
final readonly class VerificationError
{
    public function __construct(
        /** Stable. Listed in the error reference. */
        public string $code,
        /** For people. The wording may change. */
        public string $message,
    ) {
    }

    /** @param array<string, mixed> $json */
    public static function from(array $json): self
    {
        return new self(
            code: $json['code'] ?? '',
            message: $json['message'] ?? '',
        );
    }
}
