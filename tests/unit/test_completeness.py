"""Every kind, instruction and function is known in every place that must know it, and named if not."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import fields, replace
from enum import Enum
from typing import Any

import pytest

from nnc.compiler.backend import lower
from nnc.compiler.export.registry import EMITTERS
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.inference.infer import RULES as SHAPE_RULES
from nnc.compiler.ir.regions.operand_boxes import RULES as REGION_RULES
from nnc.compiler.plan.alone.tiling import RULES as TILE_RULES
from nnc.compiler.target import layer_record
from nnc.compiler.target.layer_kinds import vector_layer
from nnc.compiler.target.layer_record import RECORDS, UNSAID, AxisOrder, LayerRecord, record_of, register
from nnc.compiler.target.layer_traits import slot_role
from nnc.isa import instruction as isa_instruction
from nnc.isa import instructions as isa
from nnc.isa.functions import Function, FunctionRecord, Result
from nnc.isa.instruction import (
    Access,
    Engine,
    Instruction,
    Role,
    attribute_fields,
    operand,
    operand_specs,
)
from nnc.isa.instructions.shared_costs import one_pass
from nnc.isa.operand import Operand
from nnc.isa.record import record
from nnc.isa.reference.pages import examples
from nnc.isa.timing.cost import is_transfer
from nnc.isa.work import CostRule
from nnc.runtime.kernels import KERNELS
from nnc.runtime.kernels.unary import check_formulas


def leaves(kind: type[ir.Layer]) -> set[type[ir.Layer]]:
    below = kind.__subclasses__()
    return set().union(*map(leaves, below)) if below else {kind}


# frozen dataclasses with slots are made twice: only those of the module are kinds
KINDS = {kind for kind in leaves(ir.Layer) if getattr(ir, kind.__name__, None) is kind}
COMPUTING = {kind for kind in KINDS if not kind.is_view and kind is not ir.Join}
OF_KINDS: dict[str, tuple[Collection[type[ir.Layer]], Collection[type[ir.Layer]]]] = {
    "record": (COMPUTING, RECORDS),
    "lowering": (COMPUTING | {ir.Slice}, lower.RULES),
    "tile rule": (COMPUTING, TILE_RULES),
    "shape rule": (KINDS, SHAPE_RULES),
    "region rule": (KINDS - {ir.Join, ir.AsStrided}, REGION_RULES),
    "emitter to ONNX": (KINDS, EMITTERS),
}
"""Place → (kinds that must be known there, those that are)."""
OF_INSTRUCTIONS: dict[str, Collection[type[Instruction]]] = {
    "kernel": KERNELS,
    "example": examples(),
}


def forgotten(wanted: Collection[Any], known: Collection[Any], place: str) -> list[str]:
    """What is wanted and not known, in words."""
    return sorted(
        f"{getattr(item, 'kind', item.__name__)} has no {place}" for item in set(wanted) - set(known)
    )


@pytest.mark.parametrize("place", OF_KINDS)
def test_every_kind_is_known(place: str) -> None:
    wanted, known = OF_KINDS[place]
    assert not forgotten(wanted, known, place)
    assert not set(known) - set(wanted)


@pytest.mark.parametrize("place", OF_INSTRUCTIONS)
def test_every_instruction_is_known(place: str) -> None:
    assert not forgotten(isa_instruction.INSTRUCTIONS.values(), OF_INSTRUCTIONS[place], place)


@pytest.mark.parametrize("kind", sorted(COMPUTING, key=lambda kind: kind.kind), ids=lambda kind: kind.kind)
def test_operands_of_layers_are_fields_of_their_instruction(kind: type[ir.Layer]) -> None:
    record = record_of(kind)
    assert record.instruction.cost is not None
    layer = object.__new__(kind)
    for slot in range(len(kind.slots)):
        assert slot_role(layer, slot) in {
            spec.role.value for spec in operand_specs(record.instruction).values()
        }


@pytest.mark.parametrize("kind", ir.ALONG_AXIS, ids=lambda kind: kind.kind)
def test_kinds_along_an_axis_have_the_attributes_of_their_instruction(kind: type[ir.AlongAxis]) -> None:
    instruction = record_of(kind).instruction
    assert issubclass(instruction, isa.AlongAxis)
    assert set(attribute_fields(instruction)) == {field.name for field in fields(kind)} - {"name", "loc"}


# --- what happens when something is forgotten --------------------------------------------------------------


@record(frozen=True, kw_only=True)
class Scan(ir.Layer):
    """A kind that no place knows."""

    kind = "scan"
    slots = ("x",)


WHOLE_RECORD = vector_layer(
    instruction=isa.Copy, axis_order=AxisOrder.FOLLOWS, uncut_axes=lambda layer, shapes: ()
)


@pytest.mark.parametrize("place", OF_KINDS)
def test_a_new_kind_is_named_where_it_is_forgotten(place: str) -> None:
    wanted, known = OF_KINDS[place]
    assert forgotten({*wanted, Scan}, known, place) == [f"scan has no {place}"]


@pytest.mark.parametrize("fact", [fact.name for fact in fields(LayerRecord)])
def test_a_record_without_a_fact_is_refused(fact: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layer_record, "RECORDS", {})
    with pytest.raises(TypeError, match=f"layer kind scan: the record does not say {fact}"):
        register(Scan, replace(WHOLE_RECORD, **{fact: UNSAID}))
    register(Scan, WHOLE_RECORD)
    assert record_of(Scan) is WHOLE_RECORD
    with pytest.raises(TypeError, match="scan has two records"):
        register(Scan, WHOLE_RECORD)


def test_a_kind_without_record_is_named() -> None:
    with pytest.raises(TypeError, match="layer kind scan has no record"):
        record_of(Scan)


@record(frozen=True, kw_only=True)
class Scanning(Instruction):
    """Operand and rule of shapes of an instruction that no place knows."""

    dst: Operand = operand(Access.WRITE, Role.RESULT, "result")

    def shape_errors(self) -> Iterable[str]:
        return ()


@pytest.fixture
def own_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test registers is forgotten after it."""
    for table in ("INSTRUCTIONS", "BY_OPCODE"):
        monkeypatch.setattr(isa_instruction, table, {})


def enter(cls: type[Instruction], cost: CostRule | None) -> None:
    isa_instruction.instruction(999, "scan", Engine.COMPUTE, "reduce", example="", cost=cost)(cls)


@pytest.mark.usefixtures("own_tables")
def test_an_instruction_is_refused_without_a_cost_or_a_rule_of_shapes() -> None:
    class Free(Scanning):
        """Nothing says what it costs."""

    class Shapeless(Scanning):
        """Nothing says which shapes fit together."""

        shape_errors = Instruction.shape_errors

    class Transfer(Scanning):
        """It touches DRAM, so that its time is not its own to say."""

        src: Operand = operand(Access.READ, Role.EXTERNAL, "source")

    with pytest.raises(TypeError, match="instruction scan has no cost rule"):
        enter(Free, None)
    with pytest.raises(TypeError, match="instruction scan has no rule of shapes: method shape_errors"):
        enter(Shapeless, one_pass)
    with pytest.raises(TypeError, match="instruction scan is a transfer, but has a cost rule"):
        enter(Transfer, one_pass)
    assert not isa_instruction.INSTRUCTIONS and not isa_instruction.BY_OPCODE


@pytest.mark.usefixtures("own_tables")
def test_a_new_instruction_is_named_where_it_is_forgotten() -> None:
    class ScanTile(Scanning):
        """An instruction that no place knows."""

    enter(ScanTile, one_pass)
    assert not is_transfer(object.__new__(ScanTile))
    for place, known in OF_INSTRUCTIONS.items():
        assert forgotten([ScanTile], known, place) == [f"ScanTile has no {place}"]


class NewFunction(Enum):
    """A function whose formula is forgotten."""

    HALVE = "halve"

    @property
    def record(self) -> FunctionRecord:
        return FunctionRecord(sources=(1, 1), operator="Halve")


def test_a_function_without_formula_is_named() -> None:
    check: Callable[[Any, Mapping[Any, object]], None] = check_formulas
    with pytest.raises(TypeError, match="function halve has neither a ufunc nor a formula"):
        check([NewFunction.HALVE, Function.EXP], {})
    check([NewFunction.HALVE, Function.EXP], {NewFunction.HALVE: None})


def test_an_activation_keeps_type_and_has_one_source() -> None:
    for wrong in ({"sources": (2, 2)}, {"sources": (1, 1), "result": Result.BOOL}):
        with pytest.raises(ValueError, match="activation"):
            FunctionRecord(activation=True, **wrong)  # type: ignore[arg-type]
