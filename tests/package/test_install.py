"""The wheel and the editable install, each in a fresh environment, used from another folder.

What nnc depends on is installed once, into an environment of its own that the others see.
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from installing import FOLDERS, ROOT, Environment, build, copy_sources, expected_files, project

from nnc.version import __version__


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_sources(tmp_path_factory.mktemp("sources"))


@pytest.fixture(scope="module")
def dependencies(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    environment = Environment.create(tmp_path_factory.mktemp("dependencies") / "env")
    environment.install(*project()["project"]["dependencies"])
    return environment


@pytest.fixture(scope="module")
def wheel(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", sources, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def sdist(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("sdist", sources, tmp_path_factory.mktemp("sdist"))


def fresh(folder: Path, dependencies: Environment) -> Environment:
    """An environment that sees the dependencies and has nothing of its own."""
    environment = Environment.create(folder / "env")
    (environment.site_packages / "dependencies.pth").write_text(f"{dependencies.site_packages}\n")
    return environment


@pytest.fixture(scope="module", params=["wheel", "editable"])
def installed(
    request: pytest.FixtureRequest,
    sources: Path,
    wheel: Path,
    dependencies: Environment,
    tmp_path_factory: pytest.TempPathFactory,
) -> Environment:
    environment = fresh(tmp_path_factory.mktemp(str(request.param)), dependencies)
    what: tuple[str | Path, ...] = (wheel,) if request.param == "wheel" else ("--editable", sources)
    environment.install("--no-deps", *what)
    return environment


def held(wheel: Path) -> set[str]:
    """All files of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if not name.endswith("/")}


def test_wheel_holds_nnc_alone_and_whole(wheel: Path) -> None:
    names = held(wheel)
    about = f"nnc-{__version__}.dist-info/"
    assert {name for name in names if not name.startswith(about)} == expected_files()
    assert any(name.startswith(about) and name.endswith("/LICENSE") for name in names)


def test_sdist_builds_the_same_wheel(wheel: Path, sdist: Path, tmp_path: Path) -> None:
    """The links are folders in the archive; what it installs is the same."""
    rebuilt = build("wheel", sdist, tmp_path)
    assert rebuilt.name == wheel.name
    with zipfile.ZipFile(rebuilt) as after, zipfile.ZipFile(wheel) as before:
        assert held(rebuilt) == held(wheel)
        files = [name for name in held(wheel) if name.startswith("nnc/")]
        assert [name for name in files if after.read(name) != before.read(name)] == []


def test_site_packages_get_nnc_alone(wheel: Path, dependencies: Environment, tmp_path: Path) -> None:
    environment = fresh(tmp_path, dependencies)
    before = {path.name for path in environment.site_packages.iterdir()}
    environment.install("--no-deps", wheel)
    after = {path.name for path in environment.site_packages.iterdir()}
    assert after - before == {"nnc", f"nnc-{__version__}.dist-info"}


def test_nothing_but_nnc_can_be_imported(installed: Environment) -> None:
    found = (
        "from importlib.util import find_spec; import sys; print([bool(find_spec(n)) for n in sys.argv[1:]])"
    )
    folders = [name for name in FOLDERS if name != "nnc"]
    printed = installed.run("python", "-c", found, "nnc", "nnc.isa", *folders)
    assert printed.strip() == str([True, True, *(False for _ in folders)])


def test_declared_dependencies_are_met(installed: Environment) -> None:
    assert "No broken requirements" in installed.run("python", "-m", "pip", "check")


def test_version(installed: Environment) -> None:
    for text in (installed.run("nnc", "--version"), installed.run("python", "-m", "nnc", "--version")):
        assert text.split()[-1] == __version__


def test_digits_demo(installed: Environment) -> None:
    folder = Path(
        installed.run("python", "-c", "import nnc.models.digits as d; print(d.MODEL.parent)").strip()
    )
    model = folder / "digits_cnn.onnx"
    compiled = json.loads(installed.run("nnc", "compile", model, "-o", "digits.bin", "--json"))
    ran = json.loads(
        installed.run(
            *("nnc", "run", "digits.bin", "--input", folder / "digit-3.png", "--scale", "0.00390625"),
            *("--output-dir", "out", "--check", model, "--json"),
        )
    )
    assert ran["network"] == compiled["network"]
    assert ran["run"]["check"]["ok"]  # against onnx's reference evaluator: onnxruntime is not installed here
    probabilities = np.load(installed.work / ran["run"]["outputs"]["probabilities"]["file"])
    assert int(probabilities.argmax()) == 3


def test_chips_and_builders_are_found(installed: Environment) -> None:
    assert "npu" in installed.run("nnc", "chips")
    installed.run("nnc", "models", "build", "lenet5", "-o", "lenet5.onnx")
    assert json.loads(installed.run("nnc", "compile", "lenet5.onnx", "--chip", "npu", "--json"))["groups"]


def test_reference_pages_are_made(installed: Environment) -> None:
    """Their templates are files of the package."""
    for module, page in (("nnc.isa.reference", "isa.md"), ("nnc.errors", "errors.md")):
        printed = installed.run("python", "-m", module)
        assert printed == (ROOT / "docs" / page).read_text(encoding="utf-8")


def test_the_action_installs_nnc_and_checks_a_golden_folder(
    sources: Path, dependencies: Environment, tmp_path: Path
) -> None:
    """All of its steps, as GitHub would run them."""
    environment, summary = fresh(tmp_path, dependencies), tmp_path / "summary.md"
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    given = {"folder": "golden"}
    inputs = {name: given.get(name, about.get("default", "")) for name, about in action["inputs"].items()}
    install, check = action["runs"]["steps"]
    surroundings = {"GITHUB_ACTION_PATH": str(sources), "GITHUB_STEP_SUMMARY": str(summary)}

    def run(step: dict[str, Any]) -> str:
        assert step["shell"] == "bash"
        values = {name: inputs[text[len("${{ inputs.") : -len(" }}")]] for name, text in step["env"].items()}
        return environment.run_shell(step["run"], {**surroundings, **values})

    run(install)
    environment.run("nnc", "models", "build", "digits", "-o", "digits.onnx")
    environment.run("nnc", "golden", "add", "golden", "digits-npu", "digits.onnx", "--chip", "npu")
    assert run(check) == summary.read_text(encoding="utf-8")
    assert "| digits-npu |" in summary.read_text(encoding="utf-8")
    index = environment.work / "golden" / "golden.json"
    index.write_text(index.read_text().replace('"overrides": []', '"overrides": ["memory.sram.bytes=16KiB"]'))
    with pytest.raises(AssertionError, match="WORSE"):
        run(check)
