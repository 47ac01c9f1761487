<?php

// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.

declare(strict_types=1);

namespace Vidimus\Model;

final readonly class Finding
{
    public function __construct(
        /** The name of the check. Names are stable and listed in the error reference. */
        public string $check,
        /** `fail`: the verification failed because of this check. `warning`: it did not. */
        public string $status,
        /** An explanation for people. The wording may change. */
        public ?string $detail,
    ) {
    }

    /** @param array<string, mixed> $json */
    public static function from(array $json): self
    {
        return new self(
            check: $json['check'] ?? '',
            status: $json['status'] ?? '',
            detail: $json['detail'] ?? null,
        );
    }
}
