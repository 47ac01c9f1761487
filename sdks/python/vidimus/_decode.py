"""From JSON to models, leniently: a newer service may send more members."""
from __future__ import annotations

import dataclasses
import types
import typing
from functools import cache
from typing import Any


class Model:
    """Something that the service returned."""

    def to_dict(self) -> dict[str, Any]:
        """As JSON, without the members that are absent."""
        return {name: _encode(value) for name, value in vars(self).items() if value is not None}


def decode(kind: Any, value: Any) -> Any:
    if value is None:
        return None
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin is types.UnionType:
        return decode(args[0], value)
    if origin is list and isinstance(value, list):
        return [decode(args[0], each) for each in value]
    if origin is dict and isinstance(value, dict):
        return {name: decode(args[1], each) for name, each in value.items()}
    if isinstance(kind, type) and issubclass(kind, Model):
        if not isinstance(value, dict):
            return None
        return kind(**{name: decode(hint, value.get(name)) for name, hint in _hints(typing.cast(Any, kind)).items()})
    return value


@cache
def _hints(kind: Any) -> dict[str, Any]:
    hints = typing.get_type_hints(kind)
    return {field.name: hints[field.name] for field in dataclasses.fields(kind)}


def _encode(value: Any) -> Any:
    if isinstance(value, Model):
        return value.to_dict()
    if isinstance(value, list):
        return [_encode(each) for each in value]
    if isinstance(value, dict):
        return {name: _encode(each) for name, each in value.items()}
    return value
