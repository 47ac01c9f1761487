<?php

// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.

declare(strict_types=1);

namespace Vidimus\Model;

final readonly class AppliedConfigSecret
{
    public function __construct(
        /** What it is, in words. */
        public string $resource,
        /** Its id, if it has one. */
        public ?string $id,
        /** Shown only once. */
        public string $secret,
    ) {
    }

    /** @param array<string, mixed> $json */
    public static function from(array $json): self
    {
        return new self(
            resource: $json['resource'] ?? '',
            id: $json['id'] ?? null,
            secret: $json['secret'] ?? '',
        );
    }
}
