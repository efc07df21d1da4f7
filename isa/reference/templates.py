"""Texts of the generated reference pages: an example of every instruction, and the jinja templates."""

from __future__ import annotations

EXAMPLES = """\
load sram+0x0 f32[1,34,56,64] <- dram+0x9c400 f32[1,34,56,64]
broadcast am+0x0 f32[3,3,64,32] <- dram+0x400 f32[3,3,64,32], cores=15
load_rows sram+0x100 f32[16,64] <- dram+0x0 f32[1000,64], index=sram+0x0 i32[16]
fill sram+0x0 f32[1,1,58,64], value=0.0
store dram+0x9c400 f32[1,32,56,64] <- sram+0x8000 f32[1,32,56,64]
conv sram+0x8000 f32[1,32,54,64] <- sram+0x0 f32[1,34,56,64], weight=sram+0x40000 f32[3,3,64,64], \
bias=sram+0x64000 f32[64], stride=1,1 dilation=1,1 pad_begin=0,0 act=relu
conv_transpose sram+0x8000 f32[1,16,16,8] <- sram+0x0 f32[1,8,8,16], weight=sram+0x4000 f32[2,2,16,8], \
stride=2,2 dilation=1,1 pad_begin=0,0
gemm <- sram+0x0 f32[8,256], weight=sram+0x4000 f32[256,64], accumulator=sram+0x2000 f32[8,64], phase=start
pool sram+0x8000 f32[1,16,16,32] <- sram+0x0 f32[1,32,32,32], function=max kernel=2,2 stride=2,2 \
dilation=1,1 pad_begin=0,0 pad_end=0,0
elementwise sram+0x8000 f32[1,8,8,32] <- sram+0x0 f32[1,8,8,32], sram+0x2000 f32[32], function=mul
reduce sram+0x8000 f32[1,1,1,32] <- sram+0x0 f32[1,7,7,32], function=mean axes=1,2 count=49
softmax sram+0x1000 f32[1,10] <- sram+0x0 f32[1,10], axis=1
normalise sram+0x1000 f32[16,64] <- sram+0x0 f32[16,64], scale=sram+0x2000 f32[64], \
bias=sram+0x2100 f32[64], function=mean_variance axes=1 epsilon=1e-05
local_response_norm sram+0x4000 f32[1,8,8,16] <- sram+0x0 f32[1,8,8,16], size=5 alpha=0.0001 beta=0.75 k=1.0
resize sram+0x4000 f32[1,8,16,8] <- sram+0x0 f32[1,5,8,8], mode=linear coordinates=half_pixel nearest=floor \
scales=1.0,2.0,2.0,1.0 origin=0,0,0,0 extent=1,16,16,8 src_origin=0,0,0,0 src_extent=1,8,8,8
pad sram+0x4000 f32[1,10,10,8] <- sram+0x0 f32[1,8,8,8], mode=constant value=0.0 begin=0,1,1,0 \
origin=0,0,0,0 src_origin=0,0,0,0 src_extent=1,8,8,8
copy sram+0x4000 f32[64,32] <- sram+0x0 f32[64,32]{4,256}
gather sram+0x4000 f32[4,64] <- sram+0x0 f32[16,64], index=sram+0x2000 i64[4], axis=0 extent=16
cumsum sram+0x1000 f32[16,64] <- sram+0x0 f32[16,64], axis=1 exclusive=true
argmax sram+0x1000 i64[16,1] <- sram+0x0 f32[16,64], axis=1
"""

ISA_TEMPLATE = """\
# Instruction set

Made by `python -m nnc.isa.reference` from the classes in `isa/instructions.py`; do not edit.

Each core has three engines, in-order each: **read** (DMA from DRAM), **compute** and **write** (DMA to DRAM).
An instruction works on a tile. `@r7` after an instruction: it issues when the instructions r0 … r7 of this
core have completed; `@k2.w4` names an engine of core 2.

An operand is `memory+address dtype[shape]{byte strides}`, strides being written only where the block is not
dense. Dtypes are {{ dtypes }}.
In which memories an operand may lie, the chip says by instruction family and *role* of the operand
({{ roles }}; external operands lie in DRAM).

| opcode | instruction | engine | family | |
| ---: | --- | --- | --- | --- |
{% for page in pages -%}
| {{ page.cls.opcode }} | [`{{ page.cls.mnemonic }}`](#{{ page.cls.mnemonic }}) \
| {{ page.cls.engine.value }} | {{ page.cls.family }} | {{ page.summary }} |
{% endfor %}
{%- for engine, engine_pages in engines %}
## The {{ engine.value }} engine
{% for page in engine_pages %}
### {{ page.cls.mnemonic }}

{{ page.doc }}

```
{{ page.example }}
```

{% if page.operands -%}
| operand | access | role | |
| --- | --- | --- | --- |
{% for row in page.operands -%}
| `{{ row.name }}`{{ " (optional)" if not row.required }} | {{ row.spec.access.value }} \
| {{ row.spec.role.value }} | {{ row.doc }} |
{% endfor %}
{% endif -%}
{% if page.attributes -%}
| attribute | type | default | |
| --- | --- | --- | --- |
{% for row in page.attributes -%}
| `{{ row.name }}` | {{ row.codec.name }} | {{ row.default_text() or "required" }} | {{ row.doc }} |
{% endfor %}
{% endif -%}
Cost: {{ page.cost }}
{% endfor %}
{%- endfor %}
## Enumerations
{% for enum in enums %}
### {{ enum.__name__ }}

{{ enum | doc }}

{% for member in enum %}`{{ member.value }}`{{ " " if not loop.last }}{% endfor %}
{% endfor %}
## Program text

The text of a program is complete: `nnc asm` makes the same bytes of it that `nnc disasm` read. A line is an
instruction, a directive, or blank; `#` starts a comment.

```
ID MNEMONIC [DST] <- SRC…, OPERAND=…, ATTRIBUTE=…   @WAIT…   ; LAYER = CONTENTS…
```

`ID` is r, c or w for the engine and the number of the instruction in it, counted per core from 0. Fields at
their default are omitted. The layer is a note for people, as are group and part. `.read`, `.compute` and
`.write` hold until the next `.part`, and an instruction of another engine below them is an error.

The contents are notes for the verifier, one per operand in the order of the fields: `BUFFER+OFFSET{strides}`
says that element (i, j, …) of the operand is element OFFSET + i·strides[0] + j·strides[1] + … of that buffer.
Without strides they are those of the operand, in elements; `?` says nothing. A buffer has the name of the
tensor that lies in it. Its elements are numbered as they lie in DRAM, or would lie there, so a view has the
contents of what it shows; a constant is numbered row by row, and partial sums are a buffer of their own. The
rule `contents` of `nnc verify`: what an instruction reads as certain elements was last written as these.

| directive | |
| --- | --- |
{% for name, function in directives.items() -%}
| `.{{ name }}` | {{ function | doc | cell }} |
{% endfor %}
Roles of tensors: {{ tensor_roles }}.

## Program file

Version {{ version }}. Little endian; a *word* is an unsigned 32-bit integer, a *string* the number (word) of
a text in the string table.

```
{{ file_doc }}
```

An instruction is its opcode and its core (16 bits each), the number of waits (word), for each wait core,
engine (16 bits each; 0 read, 1 compute, 2 write) and index (word), then a word of presence bits: bit i says
that field i of the class follows, in the order of the signature below. A field whose bit is not set has its
default. Fields are written by their types:

| type | |
| --- | --- |
{% for name, text in types -%}
| {{ name }} | {{ text }} |
{% endfor %}
The code section starts with the classes in use: their count, then opcode and *signature* (words) of each. The
signature is the CRC-32 of opcode, mnemonic, and names, types and defaults of all fields, as they stand here;
a reader whose class has another signature refuses the file instead of misreading it.

| signature | of |
| --- | --- |
{% for page in pages -%}
| {{ page.signature }} | `{{ page.signed }}` |
{% endfor -%}
"""

ERRORS_TEMPLATE = """\
# Errors

Made by `python -m nnc.isa.reference errors` from the classes in `isa/errors.py`; do not edit.

Every error that nnc raises on purpose has a code, the place, what was found, what was expected and what to
do. The command line prints it and exits with status 1 (2 for a wrong command line). In Python all of them
derive from `{{ base }}`.

| code | class | meaning |
| --- | --- | --- |
{% for cls in classes -%}
| {{ cls.code }} | `{{ cls.__name__ }}` | {{ cls | doc | cell }} |
{% endfor %}"""
