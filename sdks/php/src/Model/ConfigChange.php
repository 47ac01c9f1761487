<?php

// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.

declare(strict_types=1);

namespace Vidimus\Model;

final readonly class ConfigChange
{
    public function __construct(
        /** What happens to it. */
        public string $action,
        /** What it is, in words. */
        public string $resource,
        /** Its part of the configuration before. Absent if new. */
        public mixed $before,
        /** Its part afterwards. Absent if deleted. */
        public mixed $after,
        /** Whether this change was made. */
        public bool $applied,
    ) {
    }

    /** @param array<string, mixed> $json */
    public static function from(array $json): self
    {
        return new self(
            action: $json['action'] ?? '',
            resource: $json['resource'] ?? '',
            before: $json['before'] ?? null,
            after: $json['after'] ?? null,
            applied: $json['applied'] ?? false,
        );
    }
}
