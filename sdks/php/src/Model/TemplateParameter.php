<?php

// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.

declare(strict_types=1);

namespace Vidimus\Model;

final readonly class TemplateParameter
{
    public function __construct(
        /** What its value is. */
        public string $type,
        /** The lowest integer. */
        public ?int $min,
        /** The highest integer. */
        public ?int $max,
        /** @var list<string> The strings that it accepts. */
        public ?array $enum,
        /** Used if you give none. Absent if you have to. */
        public mixed $default,
    ) {
    }

    /** @param array<string, mixed> $json */
    public static function from(array $json): self
    {
        return new self(
            type: $json['type'] ?? '',
            min: $json['min'] ?? null,
            max: $json['max'] ?? null,
            enum: $json['enum'] ?? null,
            default: $json['default'] ?? null,
        );
    }
}
