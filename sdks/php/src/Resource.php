<?php

declare(strict_types=1);

namespace Vidimus;

/** A group of methods. */
abstract class Resource
{
    public function __construct(protected readonly Connection $connection)
    {
    }

    /** Fills in the parameters, which cannot change the path. */
    public static function path(string $path, string ...$params): string
    {
        foreach ($params as $value) {
            if ($value === '') {
                throw new \InvalidArgumentException('The id is empty.');
            }
            $path = preg_replace_callback('/\{\w+\}/', fn () => rawurlencode($value), $path, 1) ?? '';
        }
        return $path;
    }

    /** Returns the JSON of the response as an array. */
    protected function call(string $method, string $path, string $retry, mixed ...$options): mixed
    {
        return $this->connection->call($method, $path, $retry, ...$options);
    }

    protected static function newKey(): string
    {
        return bin2hex(random_bytes(16));
    }

    /**
     * Without the members that were not given. For those of `$nullable`, null is a value.
     *
     * @param array<string, mixed> $body
     * @param array<string, mixed> $nullable
     */
    protected static function present(array $body, array $nullable = []): object
    {
        $given = array_filter($body, fn (mixed $value) => $value !== null);
        return (object) ($given + array_filter($nullable, fn (mixed $value) => $value !== Omit::Omit));
    }

    /** @param array<string, mixed>|null $value */
    protected static function map(?array $value): ?object
    {
        return $value === null ? null : (object) $value;
    }

    /** @param callable(?string): object{data: list<object>, next_before: ?string} $fetch */
    protected function pages(int $limit, ?string $before, callable $fetch): \Generator
    {
        do {
            $page = $fetch($before);
            foreach ($page->data as $each) {
                yield $each;
            }
            // A filtered page may be short; only `next_before` says whether more follow.
            $last = $page->data[count($page->data) - 1] ?? null;
            $before = $page->next_before ?? (count($page->data) < $limit ? null : $last?->created_at);
        } while ($before !== null);
    }
}
