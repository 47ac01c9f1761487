<?php

// Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.

declare(strict_types=1);

namespace Vidimus\Model;

final readonly class DeviceList
{
    public function __construct(
        /** @var list<Device> Newest first. */
        public array $data,
    ) {
    }

    /** @param array<string, mixed> $json */
    public static function from(array $json): self
    {
        return new self(
            data: array_map(Device::from(...), $json['data'] ?? []),
        );
    }
}
