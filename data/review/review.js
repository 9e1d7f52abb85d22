"use strict";
for (const view of document.querySelectorAll(".view")) {
    const stage = view.querySelector(".stage");
    const range = view.querySelector(".slide input");
    const set = (value) => {
        range.value = value;
        stage.style.setProperty("--at", range.value + "%");
    };
    const drag = (event) => {
        const box = stage.getBoundingClientRect();
        if (event.buttons & 1 && view.querySelector(".as-slider").checked && box.width)
            set((100 * (event.clientX - box.left)) / box.width);
    };
    if (!range)
        continue;
    set(range.value);
    range.addEventListener("input", () => set(range.value));
    stage.addEventListener("pointerdown", drag);
    stage.addEventListener("pointermove", drag);
    stage.addEventListener("dragstart", (event) => event.preventDefault());
}
const choices = document.getElementById("choices");
if (choices) {
    const update = () => {
        const chosen = document.querySelectorAll(".choice input:checked");
        choices.textContent = Array.from(chosen, (input) => input.value).join("");
    };
    for (const input of document.querySelectorAll(".choice input"))
        input.addEventListener("change", update);
    update();
    document.getElementById("copy").addEventListener("click", () => {
        getSelection().selectAllChildren(document.getElementById("command"));
        document.execCommand("copy");
    });
}
