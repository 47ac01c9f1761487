<?php

// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.

declare(strict_types=1);

namespace Vidimus\Model;

final readonly class PhotoComparison
{
    public function __construct(
        /** The id of the verification. */
        public string $id,
        /** What was decided first. It stays. */
        public bool $same_person,
    ) {
    }

    /** @param array<string, mixed> $json */
    public static function from(array $json): self
    {
        return new self(
            id: $json['id'] ?? '',
            same_person: $json['same_person'] ?? false,
        );
    }
}
