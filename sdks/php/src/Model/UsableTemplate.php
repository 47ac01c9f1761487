<?php

// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.

declare(strict_types=1);

namespace Vidimus\Model;

final readonly class UsableTemplate
{
    public function __construct(
        /** What you give as `template` when you create a verification. */
        public string $key,
        /** A short name for people. */
        public string $name,
        /** What it asks and how. */
        public string $description,
        /** Changes whenever the template changes. A verification keeps the version it was created with. */
        public string $version,
        /** Whether the template is part of the service. Otherwise it is your own. */
        public bool $built_in,
        /** @var list<string> The names of the claims that a completed verification can contain. `{age}` in a name stands for a parameter. */
        public array $claims,
        /** @var array<string, TemplateParameter> What you can give as `parameters` when you create a verification. Absent if there is nothing to give. */
        public ?array $parameters,
        /** @var list<string> The claims that it compares: what you have to give as `expected`. Absent if there are none. */
        public ?array $expected,
        /** When you last changed it. Absent if built in. */
        public ?string $updated_at,
    ) {
    }

    /** @param array<string, mixed> $json */
    public static function from(array $json): self
    {
        return new self(
            key: $json['key'] ?? '',
            name: $json['name'] ?? '',
            description: $json['description'] ?? '',
            version: $json['version'] ?? '',
            built_in: $json['built_in'] ?? false,
            claims: $json['claims'] ?? [],
            parameters: isset($json['parameters']) ? array_map(TemplateParameter::from(...), $json['parameters']) : null,
            expected: $json['expected'] ?? null,
            updated_at: $json['updated_at'] ?? null,
        );
    }
}
