<?php

// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.

declare(strict_types=1);

namespace Vidimus\Model;

final readonly class Erasure
{
    public function __construct(
        /** The id of the erased verification. */
        public string $id,
        /** The number of deleted rows of each kind. */
        public ErasureDeleted $deleted,
        /** When it was erased. */
        public string $erased_at,
    ) {
    }

    /** @param array<string, mixed> $json */
    public static function from(array $json): self
    {
        return new self(
            id: $json['id'] ?? '',
            deleted: ErasureDeleted::from($json['deleted'] ?? []),
            erased_at: $json['erased_at'] ?? '',
        );
    }
}
